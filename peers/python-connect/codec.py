"""The protobuf library's own encoding and decoding, in process."""

from collections.abc import Callable
from functools import partial
from time import perf_counter_ns
from typing import Any

from gen.greet.v1.greet_pb import GreetRequest
from request import Codec

# So many bytes are worked on between two looks at the clock, or one message.
BYTES_BETWEEN_LOOKS = 16 << 10
WARMUP_NS = 10_000_000


def run(codec: Codec) -> dict[str, Any]:
    """Encode or decode one message for as long as the window says."""
    message = GreetRequest(name="x" * codec.payload_bytes)
    if codec.codec == "marshal":
        work = message.to_binary
    else:
        encoded = message.to_binary()
        work = partial(GreetRequest.from_binary, encoded)
    batch = max(1, BYTES_BETWEEN_LOOKS // (codec.payload_bytes + 64))
    _repeat(work, batch, WARMUP_NS)
    return _repeat(work, batch, codec.window_ns)


def _repeat(work: Callable[[], object], batch: int, window_ns: int) -> dict[str, Any]:
    calls = 0
    begun_ns = perf_counter_ns()
    while (took_ns := perf_counter_ns() - begun_ns) < window_ns:
        for _ in range(batch):
            work()
        calls += batch
    return {"calls": calls, "window_ns": took_ns}
