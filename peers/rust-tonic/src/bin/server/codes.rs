//! Ends calls with the codes that gRPC has for it where tonic has others: what is too large
//! with RESOURCE_EXHAUSTED, not OUT_OF_RANGE, and what takes too long with
//! DEADLINE_EXCEEDED, not CANCELLED.

use std::future::Future;
use std::time::Duration;

use greet_peer::grpc;
use greet_peer::process::MAX_MESSAGE_BYTES;
use prost::Message;
use tokio::time::timeout;
use tonic::body::Body;
use tonic::codegen::http::{HeaderValue, Response};
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};

/// The resolution of tokio's timers. So much earlier than tonic's own, ours comes first.
const EARLIER: Duration = Duration::from_millis(1);

/// A reply, unless it is too large.
pub fn fitting<M: Message>(reply: M) -> Result<M, Status> {
    let length = reply.encoded_len();
    if length > MAX_MESSAGE_BYTES {
        let text =
            format!("the reply has {length} bytes, and at most {MAX_MESSAGE_BYTES} may be sent");
        return Err(Status::resource_exhausted(text));
    }
    Ok(reply)
}

/// Corrects the status with which tonic refuses a request in the middle of a stream. That
/// it takes requests of up to 4 MiB is its default.
pub fn correct_status(status: Status) -> Status {
    match status.code() {
        Code::OutOfRange => Status::resource_exhausted(status.message()),
        _ => status,
    }
}

/// Corrects the status with which tonic refuses a request before it answers anything.
pub fn correct_code(mut response: Response<Body>) -> Response<Body> {
    if let Some(code) = response.headers_mut().get_mut(Status::GRPC_STATUS)
        && *code == "11"
    {
        *code = HeaderValue::from_static("8");
    }
    response
}

/// Waits for what may outlast the deadline of the call.
pub async fn within_deadline<T>(
    metadata: &MetadataMap,
    work: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    let header = metadata
        .get(grpc::TIMEOUT)
        .and_then(|value| value.to_str().ok());
    match header.and_then(grpc::parse_timeout) {
        Some(limit) => timeout(limit.saturating_sub(EARLIER), work)
            .await
            .unwrap_or_else(|_| Err(Status::deadline_exceeded("the deadline passed"))),
        None => work.await,
    }
}
