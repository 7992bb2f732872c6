"""Calls a server of greet.v1 with grpcio and measures, as the benchmark asks.

Each line of standard input is a request, each answer one line of standard output, in
order. It ends with its standard input.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import asyncio_load
import codec
import threaded_load
from request import Codec, Load, Malformed, parse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--addr", required=True, help="the server's address")
    parser.add_argument(
        "--threaded", action="store_true", help="a thread for each call in flight, not asyncio"
    )
    args = parser.parse_args()
    if args.threaded:
        answer_all(lambda load: threaded_load.run(args.addr, load))
    else:
        with asyncio.Runner() as runner:
            answer_all(lambda load: runner.run(asyncio_load.run(args.addr, load)))


def answer_all(run: Callable[[Load], dict[str, Any]]) -> None:
    for line in sys.stdin:
        print(json.dumps(answer(line, run)), flush=True)


def answer(line: str, run: Callable[[Load], dict[str, Any]]) -> dict[str, Any]:
    try:
        request = parse(line)
    except Malformed as error:
        return {"error": str(error)}
    return codec.run(request) if isinstance(request, Codec) else run(request)


if __name__ == "__main__":
    main()
