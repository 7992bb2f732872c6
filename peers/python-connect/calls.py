"""The four modes, one call each, with every reply checked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from connectrpc.errors import ConnectError

from gen.greet.v1.greet_connect import GreetServiceClient
from gen.greet.v1.greet_pb import GreetChatRequest, GreetCountRequest, GreetRequest, GreetStreamRequest
from request import Load
from window import CallFailed, check

T = TypeVar("T")


class Calls:
    """Calls with one client, all alike."""

    def __init__(self, client: GreetServiceClient, load: Load) -> None:
        self._client = client
        self._name = load.name
        self._messages = load.messages
        self._mode: Callable[[], Awaitable[None]] = getattr(self, load.mode)

    async def __call__(self) -> None:
        """Make one call, or raise CallFailed."""
        try:
            await self._mode()
        except ConnectError as error:
            raise CallFailed(error.code.value, error.message) from error

    async def unary(self) -> None:
        reply = await self._client.greet(GreetRequest(name=self._name))
        check(reply.greeting, f"Hello, {self._name}!")

    async def server_stream(self) -> None:
        request = GreetStreamRequest(name=self._name, count=self._messages)
        received = 0
        async for reply in self._client.greet_stream(request):
            received += 1
            check(reply.greeting, f"Hello #{received}, {self._name}!")
        check(received, self._messages)

    async def client_stream(self) -> None:
        reply = await self._client.greet_count(self._requests(GreetCountRequest))
        check(reply.count, self._messages)

    async def bidi(self) -> None:
        received = 0
        # pyqwest sends the requests from a task of its own.
        async for reply in self._client.greet_chat(self._requests(GreetChatRequest)):
            received += 1
            check(reply.greeting, f"Hi, {self._name}!")
        check(received, self._messages)

    async def _requests(self, cls: Callable[..., T]) -> AsyncIterator[T]:
        for _ in range(self._messages):
            yield cls(name=self._name)
