"""The server on grpc.aio: every call is a coroutine on one event loop."""

import asyncio
import signal
from collections.abc import AsyncIterator

import grpc

import counts
import process
from greet.v1 import greet_pb2_grpc
from greet.v1.greet_pb2 import (
    GreetChatRequest,
    GreetChatResponse,
    GreetCountRequest,
    GreetCountResponse,
    GreetRequest,
    GreetResponse,
    GreetStreamRequest,
    GreetStreamResponse,
)
from limits import DRAIN_SECONDS, SERVER_OPTIONS


class Greeter(greet_pb2_grpc.GreetServiceServicer):
    async def Greet(self, request: GreetRequest, context: grpc.aio.ServicerContext) -> GreetResponse:
        return GreetResponse(greeting=f"Hello, {request.name}!")

    async def GreetStream(
        self, request: GreetStreamRequest, context: grpc.aio.ServicerContext
    ) -> AsyncIterator[GreetStreamResponse]:
        if not counts.is_served(request.count):
            await context.abort_with_status(counts.refusal(request.count))
        name = request.name
        for i in range(1, request.count + 1):
            yield GreetStreamResponse(greeting=f"Hello #{i}, {name}!")

    async def GreetCount(
        self, requests: AsyncIterator[GreetCountRequest], context: grpc.aio.ServicerContext
    ) -> GreetCountResponse:
        count = 0
        async for _ in requests:
            count += 1
        return GreetCountResponse(count=count)

    async def GreetChat(
        self, requests: AsyncIterator[GreetChatRequest], context: grpc.aio.ServicerContext
    ) -> AsyncIterator[GreetChatResponse]:
        async for request in requests:
            yield GreetChatResponse(greeting=f"Hi, {request.name}!")


async def serve(address: str) -> None:
    """Serve until SIGTERM, then drain."""
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)

    server = grpc.aio.server(options=SERVER_OPTIONS)
    greet_pb2_grpc.add_GreetServiceServicer_to_server(Greeter(), server)
    port = server.add_insecure_port(address)
    await server.start()
    process.announce(address, port)

    process.end_with_input()
    await told.wait()
    await server.stop(DRAIN_SECONDS)
