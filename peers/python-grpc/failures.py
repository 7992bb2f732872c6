"""Failed calls by the names that the benchmark has for codes."""

import grpc

from window import CallFailed


def failure(error: grpc.RpcError) -> CallFailed:
    code = error.code()
    name = "canceled" if code is grpc.StatusCode.CANCELLED else code.name.lower()
    return CallFailed(name, error.details())
