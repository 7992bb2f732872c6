//! Keeps calls in flight: the warm-up, then the window that counts.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures::future::join_all;

use crate::{
    calls::{Caller, Failure},
    plan::{Mode, Outcome, Plan},
};

/// After so many failed calls no more are started, unless time alone ends them.
const MOST_FAILURES: u64 = 100;

/// Carries out the plan with one worker for each caller.
pub async fn run(plan: &Plan, callers: &[Caller]) -> Outcome {
    // Every worker makes one call at least, so that its connection is open.
    let warm_up = Shift::calls(plan.warmup_calls.saturating_sub(callers.len() as u64));
    let mut outcome = Outcome::default();
    for tally in work_all(callers, warm_up, true).await {
        add_failures(&mut outcome, tally);
    }
    let timed = plan.calls == 0;
    let shift = if timed {
        Shift::time(plan.window())
    } else {
        Shift::calls(plan.calls)
    };
    let tallies = work_all(callers, shift, false).await;
    outcome.window_ns = if timed {
        plan.window_ns
    } else {
        span_ns(&tallies)
    };
    for mut tally in tallies {
        outcome.latencies_ns.append(&mut tally.latencies_ns);
        add_failures(&mut outcome, tally);
    }
    outcome.calls = outcome.latencies_ns.len();
    let (sent, received) = match plan.mode {
        Mode::Unary => (1, 1),
        Mode::ServerStream => (1, plan.messages),
        Mode::ClientStream => (plan.messages, 1),
        Mode::Bidi => (plan.messages, plan.messages),
    };
    outcome.messages_sent = outcome.calls * sent;
    outcome.messages_received = outcome.calls * received;
    outcome
}

async fn work_all(callers: &[Caller], shift: Shift, one_each: bool) -> Vec<Tally> {
    let shift = Arc::new(shift);
    let workers: Vec<_> = callers
        .iter()
        .map(|caller| tokio::spawn(work(caller.clone(), shift.clone(), one_each)))
        .collect();
    join_all(workers)
        .await
        .into_iter()
        .map(|worker| worker.expect("a worker does not panic"))
        .collect()
}

async fn work(caller: Caller, shift: Arc<Shift>, one_at_least: bool) -> Tally {
    let mut tally = Tally::default();
    let mut goes_on = one_at_least || shift.take();
    while goes_on {
        let begin = Instant::now();
        let result = caller.call().await;
        tally.record(begin, Instant::now(), result, &shift);
        goes_on = shift.take();
    }
    tally
}

/// What ends the work, and how much of it has failed; shared by all workers.
struct Shift {
    end: End,
    failures: AtomicU64,
}

enum End {
    CallsLeft(AtomicI64),
    At(Instant),
}

impl Shift {
    fn calls(calls: u64) -> Self {
        Self::until(End::CallsLeft(AtomicI64::new(calls as i64)))
    }

    fn time(window: Duration) -> Self {
        Self::until(End::At(Instant::now() + window))
    }

    fn until(end: End) -> Self {
        Self {
            end,
            failures: AtomicU64::new(0),
        }
    }

    /// Whether there is another call to make.
    fn take(&self) -> bool {
        match &self.end {
            End::CallsLeft(left) => {
                left.fetch_sub(1, Ordering::Relaxed) > 0
                    && self.failures.load(Ordering::Relaxed) < MOST_FAILURES
            }
            End::At(end) => Instant::now() < *end,
        }
    }

    /// Whether a call that succeeded at that moment was in time.
    fn counts(&self, ended: Instant) -> bool {
        !matches!(self.end, End::At(end) if ended > end)
    }
}

/// What one worker saw.
#[derive(Default)]
struct Tally {
    latencies_ns: Vec<u64>,
    first_begin: Option<Instant>,
    last_end: Option<Instant>,
    errors: BTreeMap<&'static str, u64>,
    first_error: Option<String>,
}

impl Tally {
    fn record(&mut self, begin: Instant, end: Instant, result: Result<(), Failure>, shift: &Shift) {
        self.first_begin.get_or_insert(begin);
        self.last_end = Some(end);
        match result {
            Ok(()) if shift.counts(end) => self.latencies_ns.push((end - begin).as_nanos() as u64),
            Ok(()) => {}
            Err(failure) => {
                shift.failures.fetch_add(1, Ordering::Relaxed);
                *self.errors.entry(failure.code).or_default() += 1;
                self.first_error.get_or_insert(failure.text);
            }
        }
    }
}

/// From the begin of the first call to the end of the last.
fn span_ns(tallies: &[Tally]) -> u64 {
    let begin = tallies.iter().filter_map(|tally| tally.first_begin).min();
    let end = tallies.iter().filter_map(|tally| tally.last_end).max();
    match (begin, end) {
        (Some(begin), Some(end)) => (end - begin).as_nanos() as u64,
        _ => 0,
    }
}

fn add_failures(outcome: &mut Outcome, tally: Tally) {
    for (code, count) in tally.errors {
        *outcome.errors.entry(code).or_default() += count;
    }
    outcome.first_error = outcome.first_error.take().or(tally.first_error);
}
