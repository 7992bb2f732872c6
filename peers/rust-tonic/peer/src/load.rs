//! Keeps calls in flight on connections, and records what becomes of each.

use std::future::Future;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::call::{Call, Client, Failure, Mode};
use crate::record::{Outcome, Record};

/// After so many failed calls, no more are started that have only to be made.
const MOST_FAILURES: u64 = 100;

/// The load that is asked for.
#[derive(Deserialize)]
pub struct Plan {
    pub(crate) mode: Mode,
    concurrency: NonZeroUsize,
    connections: usize,
    payload_bytes: usize,
    pub(crate) messages: u32,
    /// How many calls to make; 0 is as many as the window has time for.
    pub(crate) calls: u64,
    warmup_calls: u64,
    pub(crate) window_ns: u64,
    deadline_ns: u64,
}

/// A library under load.
pub trait Library {
    type Client: Client;
    /// Opens one connection, with TCP from the dialer.
    fn connect(&self, dialer: Dialer) -> impl Future<Output = Result<Self::Client, Failure>>;
}

/// Dials the server, and counts how often that succeeds.
#[derive(Clone)]
pub struct Dialer {
    pub addr: Arc<str>,
    opened: Arc<AtomicU64>,
}

impl Dialer {
    pub async fn dial(&self) -> io::Result<TcpStream> {
        let socket = TcpStream::connect(&*self.addr).await?;
        socket.set_nodelay(true)?;
        self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(socket)
    }
}

/// Puts the load on the server at the address.
pub async fn run<L: Library>(library: &L, addr: &str, plan: &Plan) -> Outcome {
    let dialer = Dialer {
        addr: addr.into(),
        opened: Arc::default(),
    };
    let mut outcome = match connect(library, &dialer, plan.connections).await {
        Ok(clients) => measure(&clients, plan).await,
        Err(failure) => Outcome::of_failure(failure),
    };
    outcome.connections_opened = dialer.opened.load(Ordering::Relaxed);
    outcome
}

/// A library that opens connections only when told to gets by with one.
async fn connect<L: Library>(
    library: &L,
    dialer: &Dialer,
    connections: usize,
) -> Result<Vec<L::Client>, Failure> {
    let mut clients = Vec::new();
    for _ in 0..connections.max(1) {
        clients.push(library.connect(dialer.clone()).await?);
    }
    Ok(clients)
}

async fn measure<C: Client>(clients: &[C], plan: &Plan) -> Outcome {
    let call = Arc::new(Call {
        mode: plan.mode,
        name: "x".repeat(plan.payload_bytes),
        messages: plan.messages,
        deadline: Duration::from_nanos(plan.deadline_ns),
    });
    let concurrency = plan.concurrency.get();
    let warmup = work(
        clients,
        concurrency,
        &call,
        Quota::of_calls(plan.warmup_calls),
    )
    .await;
    let quota = match plan.calls {
        0 => Quota::of_time(Duration::from_nanos(plan.window_ns)),
        calls => Quota::of_calls(calls),
    };
    let counted = work(clients, concurrency, &call, quota).await;
    Outcome::new(plan, warmup, counted)
}

/// How many calls may be started, by number or by time.
struct Quota {
    left: AtomicU64,
    failures: AtomicU64,
    end: Option<Instant>,
}

impl Quota {
    fn of_calls(calls: u64) -> Self {
        Self {
            left: calls.into(),
            failures: 0.into(),
            end: None,
        }
    }

    fn of_time(window: Duration) -> Self {
        Self {
            left: 0.into(),
            failures: 0.into(),
            end: Some(Instant::now() + window),
        }
    }

    /// Takes one call off, if there is one left at that time.
    fn take(&self, now: Instant) -> bool {
        match self.end {
            Some(end) => now < end,
            None => self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    left.checked_sub(1)
                })
                .is_ok(),
        }
    }

    fn count_failure(&self) {
        if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_FAILURES {
            self.left.store(0, Ordering::Relaxed);
        }
    }
}

/// Has so many workers make the call until the quota is used up.
async fn work<C: Client>(
    clients: &[C],
    concurrency: usize,
    call: &Arc<Call>,
    quota: Quota,
) -> Record {
    let quota = Arc::new(quota);
    let workers: JoinSet<Record> = clients
        .iter()
        .cycle()
        .take(concurrency)
        .map(|client| work_alone(client.clone(), Arc::clone(call), Arc::clone(&quota)))
        .collect();
    workers
        .join_all()
        .await
        .into_iter()
        .fold(Record::default(), Record::merge)
}

async fn work_alone<C: Client>(mut client: C, call: Arc<Call>, quota: Arc<Quota>) -> Record {
    let mut record = Record::default();
    loop {
        let begin = Instant::now();
        if !quota.take(begin) {
            return record;
        }
        let result = timeout(call.deadline, client.call(&call)).await;
        let end = Instant::now();
        match result.unwrap_or_else(|_| Err(Failure::deadline_exceeded())) {
            Ok(()) if quota.end.is_some_and(|last| end > last) => {}
            Ok(()) => record.add(begin, end),
            Err(failure) => {
                quota.count_failure();
                record.add_failure(failure);
            }
        }
    }
}
