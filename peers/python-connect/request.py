"""What a line of the benchmark client's standard input asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

MODES = ("unary", "server_stream", "client_stream", "bidi")

T = TypeVar("T")


class Malformed(Exception):
    """A line that is no request."""


@dataclass(frozen=True)
class Load:
    """Calls that are to be kept in flight."""

    mode: str
    concurrency: int
    connections: int  # 0 leaves it to the library
    payload_bytes: int
    messages: int  # of a call, in each direction that streams
    calls: int  # 0 for as many as begin within the window
    warmup_calls: int
    window_ns: int
    deadline_ns: int

    @property
    def name(self) -> str:
        return "x" * self.payload_bytes

    @property
    def sent(self) -> int:
        """How many messages a call sends."""
        return self.messages if self.mode in ("client_stream", "bidi") else 1

    @property
    def received(self) -> int:
        """How many messages a call receives."""
        return self.messages if self.mode in ("server_stream", "bidi") else 1


@dataclass(frozen=True)
class Codec:
    """Messages that are to be encoded or decoded, over and over."""

    codec: str
    payload_bytes: int
    window_ns: int


def parse(line: str) -> Load | Codec:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise Malformed(f"want a JSON object: {error}") from error
    if not isinstance(found, dict):
        raise Malformed("want a JSON object")
    if "codec" in found:
        return _codec(_fill(Codec, found))
    return _load(_fill(Load, found))


def _load(load: Load) -> Load:
    if load.mode not in MODES:
        raise Malformed(f"mode: {load.mode!r} is not among {', '.join(MODES)}")
    if load.concurrency < 1:
        raise Malformed("concurrency: want 1 at least")
    if load.calls == 0 and load.window_ns == 0:
        raise Malformed("calls, window_ns: want one of them above 0")
    return load


def _codec(codec: Codec) -> Codec:
    if codec.codec not in ("marshal", "unmarshal"):
        raise Malformed(f"codec: {codec.codec!r} is neither marshal nor unmarshal")
    return codec


def _fill(cls: type[T], found: Mapping[str, Any]) -> T:
    """Make one of `cls`, whose fields are texts and numbers that are not negative."""
    values = {}
    for field in fields(cls):
        value = found.get(field.name)
        if field.type == "str":
            right = isinstance(value, str)
        else:
            right = type(value) is int and value >= 0
        if not right:
            raise Malformed(f"{field.name}: got {json.dumps(value)}")
        values[field.name] = value
    return cls(**values)
