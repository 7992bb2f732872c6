"""What the four modes of greet.v1 mean, one method each."""

from collections.abc import AsyncIterator

from connectrpc.code import Code
from connectrpc.errors import ConnectError
from connectrpc.request import RequestContext

from gen.google.rpc.error_details_pb import BadRequest
from gen.greet.v1.greet_connect import GreetService
from gen.greet.v1.greet_pb import (
    GreetChatRequest,
    GreetChatResponse,
    GreetCountRequest,
    GreetCountResponse,
    GreetRequest,
    GreetResponse,
    GreetStreamRequest,
    GreetStreamResponse,
)

MAX_COUNT = 100_000


class Greeter(GreetService):
    async def greet(self, request: GreetRequest, ctx: RequestContext) -> GreetResponse:
        return GreetResponse(greeting=f"Hello, {request.name}!")

    async def greet_stream(
        self, request: GreetStreamRequest, ctx: RequestContext
    ) -> AsyncIterator[GreetStreamResponse]:
        if not 0 <= request.count <= MAX_COUNT:
            raise invalid_field("count", f"count must be between 0 and {MAX_COUNT}, got {request.count}")
        name = request.name
        for i in range(1, request.count + 1):
            yield GreetStreamResponse(greeting=f"Hello #{i}, {name}!")

    async def greet_count(
        self, requests: AsyncIterator[GreetCountRequest], ctx: RequestContext
    ) -> GreetCountResponse:
        count = 0
        async for _ in requests:
            count += 1
        return GreetCountResponse(count=count)

    async def greet_chat(
        self, requests: AsyncIterator[GreetChatRequest], ctx: RequestContext
    ) -> AsyncIterator[GreetChatResponse]:
        async for request in requests:
            yield GreetChatResponse(greeting=f"Hi, {request.name}!")


def invalid_field(field: str, text: str) -> ConnectError:
    """The error of a request with a field that cannot be served."""
    violation = BadRequest.FieldViolation(field=field, description=text)
    return ConnectError(Code.INVALID_ARGUMENT, text, details=[BadRequest(field_violations=[violation])])
