"""The process contract: how this server announces itself, ends, and tells of itself."""

import gc
import json
import os
import resource
import signal
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any

from admin import Admin
from limits import DRAIN_SECONDS

PAUSE_SECONDS = 0.01  # between two looks at Envoy, at the start and at the end only


def attend() -> None:
    """Begin to keep the contract, on threads that wait nearly all of the time."""
    for work in (_live, _end_with_input):
        threading.Thread(target=work, daemon=True).start()


def _live() -> None:
    admin = Admin()
    while not (admin.is_live() and (address := admin.listener())):
        time.sleep(PAUSE_SECONDS)
    if os.environ.get("GREET_CONTROL") == "3":
        threading.Thread(target=_answer_control, args=[admin], daemon=True).start()
    print(f"listening {address}", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    _drain(admin)


def _drain(admin: Admin) -> None:
    admin.stop_listening()
    deadline = time.monotonic() + DRAIN_SECONDS
    while admin.calls_in_flight() and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
    admin.quit()


def _end_with_input() -> None:
    """Take the end of standard input for a SIGTERM: whoever started this is gone."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _answer_control(admin: Admin) -> None:
    with socket.socket(fileno=3) as control, control.makefile("rw") as lines:
        for line in lines:
            print(json.dumps(_answer(admin, json.loads(line))), file=lines, flush=True)


def _answer(admin: Admin, request: Mapping[str, Any]) -> dict[str, Any]:
    match request:
        case {"get": "stats"}:
            used = resource.getrusage(resource.RUSAGE_SELF)
            return {
                "connections_accepted": admin.connections_accepted(),
                "cpu_user_ns": int(used.ru_utime * 1e9),
                "cpu_system_ns": int(used.ru_stime * 1e9),
                "peak_rss_bytes": used.ru_maxrss * 1024,
            }
        case {"get": "memory"}:
            gc.collect()
            return {"freed": True}
        case _:
            return {"error": "this server does not know how to answer that"}
