"""What the server takes and sends at most."""

from typing import Any

from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.errors import ConnectError
from protobuf import Message

MAX_MESSAGE_BYTES = 4 << 20
MAX_STREAMS = 100  # on one connection
DRAIN_SECONDS = 2  # how long calls in flight may go on after SIGTERM


class LimitedCodec:
    """A codec that refuses to send what is too large, for which connectrpc has no option."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self.name = codec.name
        self.decode = codec.decode

    def encode(self, message: Message) -> bytes:
        data = self._codec.encode(message)
        if len(data) > MAX_MESSAGE_BYTES:
            raise ConnectError(
                Code.RESOURCE_EXHAUSTED, f"message of {len(data)} bytes is larger than {MAX_MESSAGE_BYTES}"
            )
        return data


def limit_streams(envoy_config: dict[str, Any]) -> None:
    """Limit the streams of each connection, for which pyvoy has no option."""
    for listener in envoy_config["static_resources"]["listeners"]:
        for chain in listener["filter_chains"]:
            http = chain["filters"][-1]["typed_config"]
            http["http2_protocol_options"] = {"max_concurrent_streams": MAX_STREAMS}
