"""Keeps calls in flight from one event loop, a task for each."""

from __future__ import annotations

import asyncio
from time import perf_counter_ns
from typing import Any

import clients
from calls import Calls
from clients import Server
from connections import established
from request import Load
from window import CallFailed, Tally, Window, answer


async def run(server: Server, load: Load) -> dict[str, Any]:
    """Open connections, put the load on them, close them, and tell how it went."""
    if load.mode == "bidi" and server.transport == "h1":
        return {"error": "Connect runs bidi over HTTP/2 alone; use h2c"}
    before = established(server.address)
    async with clients.connect(server, load) as connected:
        calls = [Calls(client, load) for client in connected]
        warmup = Window(load.warmup_calls)
        await _fill(load, calls, warmup)
        window = Window(load.calls, load.window_ns)
        tallies = await _fill(load, calls, window)
        opened = len(established(server.address) - before)
    return answer(load, warmup, window, tallies, opened)


async def _fill(load: Load, calls: list[Calls], window: Window) -> list[Tally]:
    """Keep calls in flight until the window admits no more, and await them all."""
    workers = (_work(calls[i % len(calls)], window) for i in range(load.concurrency))
    return await asyncio.gather(*workers)


async def _work(call: Calls, window: Window) -> Tally:
    tally = Tally(window)
    while window.admits():
        begun_ns = perf_counter_ns()
        try:
            await call()
        except CallFailed as failure:
            tally.failed(begun_ns, failure)
        else:
            tally.succeeded(begun_ns)
    return tally
