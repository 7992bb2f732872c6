"""What any server and client here takes and sends at most."""

MAX_MESSAGE_BYTES = 4 << 20
MAX_STREAMS = 100  # on one connection
DRAIN_SECONDS = 2  # how long calls in flight may go on after SIGTERM

MESSAGE_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
)

SERVER_OPTIONS = (
    *MESSAGE_OPTIONS,
    ("grpc.max_concurrent_streams", MAX_STREAMS),
    # It counts streams until Python has let go of them, which is some time after the
    # client has seen their end, and so refuses calls of clients that keep to the limit.
    ("grpc.http.overload_protection", 0),
    ("grpc.so_reuseport", 0),  # an address that is in use is an error
)

CLIENT_OPTIONS = (
    *MESSAGE_OPTIONS,
    # Without a pool of its own a channel shares the connection of others like it.
    ("grpc.use_local_subchannel_pool", 1),
)
