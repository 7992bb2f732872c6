"""Clients with new connections, for one load."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from connectrpc.protocol import ProtocolType
from pyqwest import Client, HTTPTransport, HTTPVersion

from gen.greet.v1.greet_connect import GreetServiceClient
from limits import MAX_MESSAGE_BYTES
from request import Load

PROTOCOLS = {
    "connect": ProtocolType.CONNECT,
    "grpc": ProtocolType.GRPC,
    "grpcweb": ProtocolType.GRPC_WEB,
}
TRANSPORTS = {"h1": HTTPVersion.HTTP1, "h2c": HTTPVersion.HTTP2}


@dataclass(frozen=True)
class Server:
    address: str
    protocol: str
    transport: str


@asynccontextmanager
async def connect(server: Server, load: Load) -> AsyncIterator[list[GreetServiceClient]]:
    """Make as many clients as it takes for the connections of the load, and close them."""
    async with AsyncExitStack() as stack:
        transports = [await stack.enter_async_context(t) for t in _transports(server, load)]
        yield [_client(server, load, transport) for transport in transports]


def _transports(server: Server, load: Load) -> list[HTTPTransport]:
    version = TRANSPORTS[server.transport]
    if server.transport == "h1" and load.connections:
        pool = load.connections
        return [
            HTTPTransport(http_version=version, max_connections_per_address=pool, pool_max_idle_per_host=pool)
        ]
    # Over HTTP/2, a transport keeps to one connection.
    return [HTTPTransport(http_version=version) for _ in range(load.connections or 1)]


def _client(server: Server, load: Load, transport: HTTPTransport) -> GreetServiceClient:
    return GreetServiceClient(
        f"http://{server.address}",
        protocol=PROTOCOLS[server.protocol],
        http_client=Client(transport),
        timeout_ms=max(1, load.deadline_ns // 1_000_000),
        read_max_bytes=MAX_MESSAGE_BYTES,
        accept_compression=(),
        send_compression=None,
    )
