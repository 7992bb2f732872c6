//! Times what a library's codec does, in process.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The clock is read once for so many operations, since for small messages reading it
/// takes about as long as they do.
const OPERATIONS_PER_READING: u64 = 16;

/// What is asked for.
#[derive(Deserialize)]
pub struct Plan {
    pub codec: Direction,
    pub payload_bytes: usize,
    window_ns: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Marshal,
    Unmarshal,
}

/// How many operations there were, and how long they took.
#[derive(Serialize)]
pub struct Outcome {
    calls: u64,
    window_ns: u64,
}

impl Plan {
    /// Runs the operation for as long as is asked for, after a tenth of that as a warm-up.
    pub fn time(&self, mut operation: impl FnMut()) -> Outcome {
        let window = Duration::from_nanos(self.window_ns);
        repeat(window / 10, &mut operation);
        repeat(window, &mut operation)
    }
}

fn repeat(window: Duration, operation: &mut impl FnMut()) -> Outcome {
    let begin = Instant::now();
    let mut calls = 0;
    loop {
        for _ in 0..OPERATIONS_PER_READING {
            operation();
        }
        calls += OPERATIONS_PER_READING;
        let elapsed = begin.elapsed();
        if elapsed >= window {
            return Outcome {
                calls,
                window_ns: elapsed.as_nanos() as u64,
            };
        }
    }
}
