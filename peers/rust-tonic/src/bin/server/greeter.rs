//! The service, on the messages of either codec.

mod with_prost;
mod with_protobuf;

use std::pin::Pin;

use tokio_stream::{Stream, StreamExt};
use tonic::{Code, Status, Streaming};
use tonic_types::{ErrorDetails, StatusExt};

const MAX_COUNT: i32 = 100_000;

type Replies<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

pub struct Greeter;

/// Greets when a greeting is asked of the stream, so that a client that reads slowly does
/// not fill this process's memory.
fn greet_all<T: 'static>(
    count: i32,
    greet: impl Fn(i32) -> T + Send + 'static,
) -> Result<Replies<T>, Status> {
    if !(0..=MAX_COUNT).contains(&count) {
        return Err(invalid_count(count));
    }
    let replies = (1..=count).map(move |i| Ok(greet(i)));
    Ok(Box::pin(tokio_stream::iter(replies)))
}

fn invalid_count(count: i32) -> Status {
    let text = format!("count must be between 0 and {MAX_COUNT}, got {count}");
    let details = ErrorDetails::with_bad_request_violation("count", &text);
    Status::with_error_details(Code::InvalidArgument, text, details)
}

async fn count_all<T>(mut requests: Streaming<T>) -> Result<i32, Status> {
    let mut count = 0;
    while requests.message().await?.is_some() {
        count += 1;
    }
    Ok(count)
}

fn answer_each<T: Send + 'static, U: 'static>(
    requests: Streaming<T>,
    answer: impl Fn(T) -> U + Send + 'static,
) -> Replies<U> {
    Box::pin(requests.map(move |request| request.map(&answer)))
}
