"""The ASGI application, which Envoy loads and calls on an event loop of its own."""

import asyncio
import logging

from connectrpc.codec import proto_binary_codec, proto_json_codec

import process
from gen.greet.v1.greet_connect import GreetServiceASGIApplication
from greeter import Greeter
from limits import MAX_MESSAGE_BYTES, LimitedCodec


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Whether the record is not of a receive() that got its result too late.

    At the end of a stream connectrpc cancels the receive() that waits for the client to
    disconnect, and pyvoy 1.3.0 gives it a result all the same. Nothing is lost, yet asyncio
    would log it with a traceback, once a call.
    """
    return not (record.exc_info and record.exc_info[0] is asyncio.InvalidStateError)


logging.getLogger("asyncio").addFilter(is_worth_logging)

app = GreetServiceASGIApplication(
    Greeter(),
    read_max_bytes=MAX_MESSAGE_BYTES,
    compressions=(),
    codecs=[LimitedCodec(proto_binary_codec()), LimitedCodec(proto_json_codec())],
)

process.attend()
