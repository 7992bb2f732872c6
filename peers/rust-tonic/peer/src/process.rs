//! The contract of a server process: how it is told to begin and to stop, and what it
//! tells of itself.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::control;

/// The largest message that any server takes or sends.
pub const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// How many streams a connection may have open.
pub const MAX_STREAMS: u32 = 100;

/// How long calls in flight may go on once the server is to stop.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);

/// A runtime of so many worker threads, or of one for each core.
pub fn runtime(workers: Option<usize>) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(workers) = workers {
        builder.worker_threads(workers);
    }
    builder.enable_all().build()
}

/// How many connections a server has accepted.
#[derive(Clone, Default)]
pub struct Accepted(Arc<AtomicU64>);

impl Accepted {
    pub fn add_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs a server from its first to its last line: listens, announces where, and has
/// `serve` serve until its token is cancelled, and then for a while that calls in flight
/// may take to end.
pub async fn run<F, E>(
    addr: &str,
    serve: impl FnOnce(TcpListener, Accepted, CancellationToken) -> F,
) -> Result<(), Box<dyn std::error::Error>>
where
    F: Future<Output = Result<(), E>>,
    E: std::error::Error + 'static,
{
    let listener = TcpListener::bind(addr).await?;
    let local = listener.local_addr()?;
    let accepted = Accepted::default();
    control::answer(accepted.clone());
    let stop = stop_token()?;
    println!("listening {local}");
    tokio::select! {
        ended = serve(listener, accepted, stop.clone()) => Ok(ended?),
        () = drained(stop) => Ok(()),
    }
}

async fn drained(stop: CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(DRAIN_LIMIT).await;
}

/// A token that is cancelled by SIGTERM, by SIGINT, or by the end of standard input: then
/// whoever started this process is gone.
fn stop_token() -> io::Result<CancellationToken> {
    let token = CancellationToken::new();
    let terminate = signal(SignalKind::terminate())?;
    let interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(cancel_when_told(token.clone(), terminate, interrupt));
    Ok(token)
}

async fn cancel_when_told(token: CancellationToken, mut terminate: Signal, mut interrupt: Signal) {
    let input = input_end();
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = input => {}
    }
    token.cancel();
}

/// Reads on a thread of its own, since the runtime does not end before a thread of its
/// own that reads.
fn input_end() -> oneshot::Receiver<()> {
    let (ended, end) = oneshot::channel();
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = ended.send(());
    });
    end
}

/// Prints those of the libraries that a Cargo.lock lists, each with its version.
pub fn print_libraries(cargo_lock: &str, names: &[&str]) {
    for package in cargo_lock.split("[[package]]") {
        let field = |key: &str| {
            package
                .lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
        };
        if let (Some(name), Some(version)) = (field("name"), field("version")) {
            let (name, version) = (name.trim_matches('"'), version.trim_matches('"'));
            if names.contains(&name) {
                println!("{name} v{version}");
            }
        }
    }
}
