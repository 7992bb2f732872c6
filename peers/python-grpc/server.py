"""Serves greet.v1 with grpcio, as a server that the benchmark starts.

It prints where it listens, drains on SIGTERM, and ends with its standard input.
"""

import argparse
import asyncio

import asyncio_server
import process
import threaded_server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--addr", default="127.0.0.1:0", help="where to listen (default: %(default)s)")
    parser.add_argument("--threaded", action="store_true", help="a thread for each call, not asyncio")
    args = parser.parse_args()
    process.decline_control()
    if args.threaded:
        threaded_server.serve(args.addr)
    else:
        asyncio.run(asyncio_server.serve(args.addr))


if __name__ == "__main__":
    main()
