"""Calls a server of greet.v1 with connectrpc on pyqwest and measures, as the benchmark asks.

Each line of standard input is a request, each answer one line of standard output, in
order. It ends with its standard input.
"""

import argparse
import asyncio
import json
import sys
from typing import Any

import codec
import load
from clients import PROTOCOLS, TRANSPORTS, Server
from request import Codec, Malformed, parse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--addr", required=True, help="the server's address")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="connect", help="(default: %(default)s)")
    parser.add_argument("--transport", choices=TRANSPORTS, default="h2c", help="(default: %(default)s)")
    args = parser.parse_args()
    server = Server(args.addr, args.protocol, args.transport)
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            print(json.dumps(answer(line, server, runner)), flush=True)


def answer(line: str, server: Server, runner: asyncio.Runner) -> dict[str, Any]:
    try:
        request = parse(line)
    except Malformed as error:
        return {"error": str(error)}
    if isinstance(request, Codec):
        return codec.run(request)
    return runner.run(load.run(server, request))


if __name__ == "__main__":
    main()
