"""The four modes on threads, one call each, with every reply checked."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from failures import failure
from greet.v1.greet_pb2 import GreetChatRequest, GreetCountRequest, GreetRequest, GreetStreamRequest
from greet.v1.greet_pb2_grpc import GreetServiceStub
from request import Load
from window import check


class Calls:
    """Calls on one connection, all alike."""

    def __init__(self, channel: grpc.Channel, load: Load) -> None:
        self._stub = GreetServiceStub(channel)
        self._name = load.name
        self._messages = load.messages
        self._deadline = load.deadline_ns / 1e9
        self._mode: Callable[[], None] = getattr(self, load.mode)

    def __call__(self) -> None:
        """Make one call, or raise CallFailed."""
        try:
            self._mode()
        except grpc.RpcError as error:
            raise failure(error) from error

    def unary(self) -> None:
        reply = self._stub.Greet(GreetRequest(name=self._name), timeout=self._deadline)
        check(reply.greeting, f"Hello, {self._name}!")

    def server_stream(self) -> None:
        request = GreetStreamRequest(name=self._name, count=self._messages)
        received = 0
        for reply in self._stub.GreetStream(request, timeout=self._deadline):
            received += 1
            check(reply.greeting, f"Hello #{received}, {self._name}!")
        check(received, self._messages)

    def client_stream(self) -> None:
        requests = (GreetCountRequest(name=self._name) for _ in range(self._messages))
        reply = self._stub.GreetCount(requests, timeout=self._deadline)
        check(reply.count, self._messages)

    def bidi(self) -> None:
        requests = (GreetChatRequest(name=self._name) for _ in range(self._messages))
        received = 0
        # grpcio sends the requests from a thread of its own.
        for reply in self._stub.GreetChat(requests, timeout=self._deadline):
            received += 1
            check(reply.greeting, f"Hi, {self._name}!")
        check(received, self._messages)
