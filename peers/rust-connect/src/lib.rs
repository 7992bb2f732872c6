//! What the server and the benchmark client share: the generated code, limits, and the
//! runtime that both run on.

use std::io;

use tokio::runtime::{Builder, Runtime};

#[allow(missing_docs)]
pub mod proto {
    connectrpc::include_generated!();
}

/// The largest message that either end takes, and that the server sends.
pub const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// How much of one HTTP/2 stream may wait to be read.
pub const STREAM_WINDOW_BYTES: u32 = 1 << 20;

/// How much of one HTTP/2 connection may wait to be read.
///
/// Half of it is h2's budget for small DATA frames that wait, each charged as 256 bytes
/// (since h2 0.4.16), and who overdraws the budget loses the connection. So a stream of
/// the smallest messages, 5 bytes each, must have filled its own window before that.
/// The library's adaptive window leaves room for some 130 such frames.
pub const CONNECTION_WINDOW_BYTES: u32 = 2 * 256 / 5 * STREAM_WINDOW_BYTES;

/// A multi-threaded runtime with as many worker threads, or one for each core.
pub fn runtime(workers: Option<usize>) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(workers) = workers {
        builder.worker_threads(workers);
    }
    builder.enable_all().build()
}
