"""The four modes as coroutines, one call each, with every reply checked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import grpc

from failures import failure
from greet.v1.greet_pb2 import GreetChatRequest, GreetCountRequest, GreetRequest, GreetStreamRequest
from greet.v1.greet_pb2_grpc import GreetServiceStub
from request import Load
from window import check


class Calls:
    """Calls on one connection, all alike."""

    def __init__(self, channel: grpc.aio.Channel, load: Load) -> None:
        self._stub = GreetServiceStub(channel)
        self._name = load.name
        self._messages = load.messages
        self._deadline = load.deadline_ns / 1e9
        self._mode: Callable[[], Awaitable[None]] = getattr(self, load.mode)

    async def __call__(self) -> None:
        """Make one call, or raise CallFailed."""
        try:
            await self._mode()
        except grpc.aio.AioRpcError as error:
            raise failure(error) from error

    async def unary(self) -> None:
        reply = await self._stub.Greet(GreetRequest(name=self._name), timeout=self._deadline)
        check(reply.greeting, f"Hello, {self._name}!")

    async def server_stream(self) -> None:
        request = GreetStreamRequest(name=self._name, count=self._messages)
        received = 0
        async for reply in self._stub.GreetStream(request, timeout=self._deadline):
            received += 1
            check(reply.greeting, f"Hello #{received}, {self._name}!")
        check(received, self._messages)

    async def client_stream(self) -> None:
        requests = (GreetCountRequest(name=self._name) for _ in range(self._messages))
        reply = await self._stub.GreetCount(requests, timeout=self._deadline)
        check(reply.count, self._messages)

    async def bidi(self) -> None:
        requests = (GreetChatRequest(name=self._name) for _ in range(self._messages))
        received = 0
        # grpcio sends the requests from a task of its own.
        async for reply in self._stub.GreetChat(requests, timeout=self._deadline):
            received += 1
            check(reply.greeting, f"Hi, {self._name}!")
        check(received, self._messages)
