"""Which counts are served, and the error of those that are not."""

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

MAX_COUNT = 100_000


def is_served(count: int) -> bool:
    return 0 <= count <= MAX_COUNT


def refusal(count: int) -> grpc.Status:
    """The status of a call whose count is not served, with the field as a detail."""
    text = f"count must be between 0 and {MAX_COUNT}, got {count}"
    violation = error_details_pb2.BadRequest.FieldViolation(field="count", description=text)
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    status = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message=text, details=[detail])
    return rpc_status.to_status(status)
