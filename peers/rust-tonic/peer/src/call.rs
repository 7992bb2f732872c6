//! One call: what is sent, what must come back, and how it can fail.

use std::fmt::{self, Write};
use std::future::Future;
use std::time::Duration;

use serde::Deserialize;

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Unary,
    ServerStream,
    ClientStream,
    Bidi,
}

/// A call to make, again and again.
pub struct Call {
    pub mode: Mode,
    pub name: String,
    /// How many messages go in each direction that streams.
    pub messages: u32,
    pub deadline: Duration,
}

/// A client with one connection.
pub trait Client: Clone + Send + 'static {
    /// Makes the call and checks all of its reply.
    fn call(&mut self, call: &Call) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// How a call failed: a code of gRPC, or `wrong_reply`.
pub struct Failure {
    pub code: &'static str,
    pub text: String,
}

impl Failure {
    /// The failure that a status of gRPC says.
    pub fn of_status(code: i32, text: impl Into<String>) -> Self {
        let code = usize::try_from(code)
            .ok()
            .and_then(|code| CODES.get(code))
            .unwrap_or(&"unknown");
        Self {
            code,
            text: text.into(),
        }
    }

    pub fn unavailable(error: impl fmt::Display) -> Self {
        Self {
            code: "unavailable",
            text: error.to_string(),
        }
    }

    pub fn deadline_exceeded() -> Self {
        Self {
            code: "deadline_exceeded",
            text: "the deadline passed".into(),
        }
    }

    pub fn wrong_reply(text: impl Into<String>) -> Self {
        Self {
            code: "wrong_reply",
            text: text.into(),
        }
    }
}

/// The codes of gRPC by number, as they stand in results.
const CODES: [&str; 17] = [
    "ok",
    "canceled",
    "unknown",
    "invalid_argument",
    "deadline_exceeded",
    "not_found",
    "already_exists",
    "permission_denied",
    "resource_exhausted",
    "failed_precondition",
    "aborted",
    "out_of_range",
    "unimplemented",
    "internal",
    "unavailable",
    "data_loss",
    "unauthenticated",
];

/// Checks the greetings of one call, as they come.
pub struct Greetings<'a> {
    call: &'a Call,
    received: u32,
    want: String,
}

impl<'a> Greetings<'a> {
    pub fn new(call: &'a Call) -> Self {
        Self {
            call,
            received: 0,
            want: String::new(),
        }
    }

    pub fn check(&mut self, got: &str) -> Result<(), Failure> {
        self.received += 1;
        self.want.clear();
        let (name, number) = (&self.call.name, self.received);
        let _ = match self.call.mode {
            // writing to a String does not fail
            Mode::ServerStream => write!(self.want, "Hello #{number}, {name}!"),
            Mode::Bidi => write!(self.want, "Hi, {name}!"),
            Mode::Unary | Mode::ClientStream => write!(self.want, "Hello, {name}!"),
        };
        if got == self.want {
            return Ok(());
        }
        Err(Failure::wrong_reply(format!(
            "greeting {number} is {}, want {}",
            short(got),
            short(&self.want)
        )))
    }

    /// Checks that nothing is missing, once the stream has ended.
    pub fn check_end(&self) -> Result<(), Failure> {
        if self.received == self.call.messages {
            return Ok(());
        }
        Err(Failure::wrong_reply(format!(
            "got {} greetings, want {}",
            self.received, self.call.messages
        )))
    }
}

/// Checks the reply of a client stream.
pub fn check_count(call: &Call, got: i32) -> Result<(), Failure> {
    if i64::from(got) == i64::from(call.messages) {
        return Ok(());
    }
    Err(Failure::wrong_reply(format!(
        "got a count of {got}, want {}",
        call.messages
    )))
}

/// Quotes a text, or the beginning of a long one.
fn short(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((most, _)) => format!("{:?}… of {} bytes", &text[..most], text.len()),
        None => format!("{text:?}"),
    }
}
