//! What is asked of this program and what it answers, one JSON object on a line each.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(untagged)]
pub enum Request {
    Load(Plan),
    Codec(CodecPlan),
}

/// Calls to make.
#[derive(Clone, Deserialize)]
pub struct Plan {
    pub mode: Mode,
    /// Calls in flight.
    pub concurrency: usize,
    /// New connections; 0 leaves their number to the library.
    pub connections: usize,
    pub payload_bytes: usize,
    /// Messages of a call in each direction that streams.
    pub messages: usize,
    /// How many calls; 0 makes calls for as long as the window.
    pub calls: u64,
    pub warmup_calls: u64,
    pub window_ns: u64,
    /// How long each call may take.
    pub deadline_ns: u64,
}

impl Plan {
    pub fn window(&self) -> Duration {
        Duration::from_nanos(self.window_ns)
    }

    pub fn deadline(&self) -> Duration {
        Duration::from_nanos(self.deadline_ns)
    }

    /// What of the plan cannot be carried out.
    pub fn fault(&self) -> Option<&'static str> {
        if self.concurrency == 0 {
            return Some("concurrency is 0");
        }
        if self.calls == 0 && self.window_ns == 0 {
            return Some("neither calls nor window_ns is given");
        }
        (self.deadline_ns == 0).then_some("deadline_ns is 0")
    }
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Unary,
    ServerStream,
    ClientStream,
    Bidi,
}

/// Messages to encode or decode, without a connection.
#[derive(Deserialize)]
pub struct CodecPlan {
    pub codec: Direction,
    pub payload_bytes: usize,
    pub window_ns: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Marshal,
    Unmarshal,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Load(Outcome),
    Codec(CodecOutcome),
    Refused { error: String },
}

/// What came of a plan's counted calls, and the failures of all.
#[derive(Default, Serialize)]
pub struct Outcome {
    pub calls: usize,
    pub messages_sent: usize,
    pub messages_received: usize,
    pub window_ns: u64,
    pub connections_opened: u64,
    /// Failed calls by code.
    pub errors: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
    pub latencies_ns: Vec<u64>,
}

#[derive(Serialize)]
pub struct CodecOutcome {
    pub calls: u64,
    pub window_ns: u64,
}
