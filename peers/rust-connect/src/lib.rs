//! What the server and the benchmark client share: the generated code, a limit, and
//! the runtime that both run on.

use std::io;

use tokio::runtime::{Builder, Runtime};

#[allow(missing_docs)]
pub mod proto {
    connectrpc::include_generated!();
}

/// The largest message that either end takes, and that the server sends.
pub const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// A multi-threaded runtime with as many worker threads, or one for each core.
pub fn runtime(workers: Option<usize>) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(workers) = workers {
        builder.worker_threads(workers);
    }
    builder.enable_all().build()
}
