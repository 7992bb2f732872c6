"""The server on grpc.server: every call takes a thread of a pool for as long as it lasts."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

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

# A silent chat holds its thread, and a call that finds none free waits. The pool makes
# threads only as calls in flight need them.
MAX_THREADS = 1024


class Greeter(greet_pb2_grpc.GreetServiceServicer):
    def Greet(self, request: GreetRequest, context: grpc.ServicerContext) -> GreetResponse:
        return GreetResponse(greeting=f"Hello, {request.name}!")

    def GreetStream(
        self, request: GreetStreamRequest, context: grpc.ServicerContext
    ) -> Iterator[GreetStreamResponse]:
        if not counts.is_served(request.count):
            context.abort_with_status(counts.refusal(request.count))
        name = request.name
        for i in range(1, request.count + 1):
            yield GreetStreamResponse(greeting=f"Hello #{i}, {name}!")

    def GreetCount(
        self, requests: Iterator[GreetCountRequest], context: grpc.ServicerContext
    ) -> GreetCountResponse:
        return GreetCountResponse(count=sum(1 for _ in requests))

    def GreetChat(
        self, requests: Iterator[GreetChatRequest], context: grpc.ServicerContext
    ) -> Iterator[GreetChatResponse]:
        for request in requests:
            yield GreetChatResponse(greeting=f"Hi, {request.name}!")


def serve(address: str) -> None:
    """Serve until SIGTERM, then drain."""
    told = {signal.SIGTERM, signal.SIGINT}
    # Before any thread starts, since each inherits what is blocked.
    signal.pthread_sigmask(signal.SIG_BLOCK, told)

    server = grpc.server(ThreadPoolExecutor(MAX_THREADS), options=SERVER_OPTIONS)
    greet_pb2_grpc.add_GreetServiceServicer_to_server(Greeter(), server)
    port = server.add_insecure_port(address)
    server.start()
    process.announce(address, port)

    process.end_with_input()
    signal.sigwait(told)
    server.stop(DRAIN_SECONDS).wait()
