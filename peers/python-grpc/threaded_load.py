"""Keeps calls in flight, a thread for each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from time import perf_counter_ns
from typing import Any

import grpc

from threaded_calls import Calls
from connections import established
from limits import CLIENT_OPTIONS
from request import Load
from window import CallFailed, Tally, Window, answer


def run(address: str, load: Load) -> dict[str, Any]:
    """Open connections, put the load on them, close them, and tell how it went."""
    before = established(address)
    with ExitStack() as channels:
        opening = [grpc.insecure_channel(address, CLIENT_OPTIONS) for _ in range(load.connections or 1)]
        calls = [Calls(channels.enter_context(channel), load) for channel in opening]
        warmup = Window(load.warmup_calls)
        _fill(load, calls, warmup)
        window = Window(load.calls, load.window_ns)
        tallies = _fill(load, calls, window)
        opened = len(established(address) - before)
    return answer(load, warmup, window, tallies, opened)


def _fill(load: Load, calls: list[Calls], window: Window) -> list[Tally]:
    """Keep calls in flight until the window admits no more, and them all."""
    with ThreadPoolExecutor(load.concurrency) as workers:
        begun = [workers.submit(_work, calls[i % len(calls)], window) for i in range(load.concurrency)]
        return [worker.result() for worker in begun]


def _work(call: Calls, window: Window) -> Tally:
    tally = Tally(window)
    while window.admits():
        begun_ns = perf_counter_ns()
        try:
            call()
        except CallFailed as failure:
            tally.failed(begun_ns, failure)
        else:
            tally.succeeded(begun_ns)
    return tally
