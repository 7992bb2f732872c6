//! What became of calls: the record of a worker, and the outcome that is reported.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::call::{Failure, Mode};
use crate::load::Plan;

/// What one worker saw, or several together.
#[derive(Default)]
pub struct Record {
    latencies: Vec<u64>,
    failures: Vec<Failure>,
    /// When the first success began, and the last one ended.
    span: Option<(Instant, Instant)>,
}

impl Record {
    pub fn add(&mut self, begin: Instant, end: Instant) {
        self.latencies.push(nanoseconds(end - begin));
        self.span = Some((self.span.map_or(begin, |(first, _)| first), end));
    }

    pub fn add_failure(&mut self, failure: Failure) {
        self.failures.push(failure);
    }

    pub fn merge(mut self, other: Self) -> Self {
        self.latencies.extend(other.latencies);
        self.failures.extend(other.failures);
        self.span = match (self.span, other.span) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
        self
    }

    fn window(&self) -> u64 {
        self.span.map_or(0, |(begin, end)| nanoseconds(end - begin))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The answer to a plan.
#[derive(Default, Serialize)]
pub struct Outcome {
    calls: u64,
    messages_sent: u64,
    messages_received: u64,
    window_ns: u64,
    pub(crate) connections_opened: u64,
    errors: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_error: Option<String>,
    latencies_ns: Vec<u64>,
}

impl Outcome {
    /// Of the warm-up, failures alone count.
    pub fn new(plan: &Plan, warmup: Record, counted: Record) -> Self {
        let calls = counted.latencies.len() as u64;
        let (sent, received) = messages_per_call(plan);
        let mut outcome = Self {
            calls,
            messages_sent: calls * sent,
            messages_received: calls * received,
            window_ns: if plan.calls == 0 {
                plan.window_ns
            } else {
                counted.window()
            },
            latencies_ns: counted.latencies,
            ..Self::default()
        };
        for failure in warmup.failures.into_iter().chain(counted.failures) {
            outcome.add_failure(failure);
        }
        outcome
    }

    pub fn of_failure(failure: Failure) -> Self {
        let mut outcome = Self::default();
        outcome.add_failure(failure);
        outcome
    }

    fn add_failure(&mut self, Failure { code, text }: Failure) {
        *self.errors.entry(code).or_default() += 1;
        self.first_error
            .get_or_insert_with(|| format!("{code}: {text}"));
    }
}

/// How many messages a call sends and receives.
fn messages_per_call(plan: &Plan) -> (u64, u64) {
    let many = u64::from(plan.messages);
    match plan.mode {
        Mode::Unary => (1, 1),
        Mode::ServerStream => (1, many),
        Mode::ClientStream => (many, 1),
        Mode::Bidi => (many, many),
    }
}
