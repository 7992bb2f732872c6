//! Calls in the four modes, each with its reply checked, on the messages of either codec.

pub mod with_prost;
pub mod with_protobuf;

use greet_peer::call::{Call, Failure, Greetings};
use tonic::{Code, Request, Status, Streaming};

/// A request that tells the server of the deadline.
fn timed<T>(message: T, call: &Call) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(call.deadline);
    request
}

/// Checks all replies of a stream. Those of a chat come while the connection, in a task of
/// its own, sends requests as fast as flow control lets it.
async fn check_all<T>(
    call: &Call,
    mut replies: Streaming<T>,
    check: impl Fn(&mut Greetings, &T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut greetings = Greetings::new(call);
    while let Some(reply) = replies.message().await.map_err(failure)? {
        check(&mut greetings, &reply)?;
    }
    greetings.check_end()
}

/// tonic calls a deadline that has passed, here or at a server of its own, cancelled.
fn failure(status: Status) -> Failure {
    match status.code() {
        Code::Cancelled if status.message() == "Timeout expired" => Failure::deadline_exceeded(),
        code => Failure::of_status(code.into(), status.message()),
    }
}
