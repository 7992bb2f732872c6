//! One call: its request's headers, its deadline, and the status that ends it.

use std::time::Duration;

use bytes::Bytes;
use h2::RecvStream;
use h2::server::SendResponse;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use prost::Message;
use rust_h2::messages::{Receiver, Sender, check_length};
use rust_h2::status::{self, DEADLINE_EXCEEDED, Status};
use rust_h2::timeout;
use tokio::time;

use crate::greeter;

/// Answers a call. That the client may be gone before the end is not an error here.
pub async fn answer(request: Request<RecvStream>, mut respond: SendResponse<Bytes>) {
    let (head, body) = request.into_parts();
    if !is_grpc(&head.headers) {
        let _ = respond.send_response(unsupported(), true);
        return;
    }
    let mut requests = Receiver::new(body);
    let mut replies = Replies {
        respond,
        sender: None,
    };
    let serving = greeter::serve(head.uri.path(), &mut requests, &mut replies);
    let result = match deadline(&head.headers) {
        Some(limit) => time::timeout(limit, serving)
            .await
            .unwrap_or_else(|_| Err(Status::new(DEADLINE_EXCEEDED, "the deadline passed"))),
        None => serving.await,
    };
    let _ = replies
        .end_with(&result.err().unwrap_or_else(Status::ok))
        .await;
}

/// Whether the content is gRPC's, with or without the name of a codec.
fn is_grpc(headers: &HeaderMap) -> bool {
    match headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(b"application/grpc") => true,
        Some(content) => {
            content.starts_with(b"application/grpc+") || content.starts_with(b"application/grpc;")
        }
        None => false,
    }
}

fn deadline(headers: &HeaderMap) -> Option<Duration> {
    headers
        .get(timeout::HEADER)?
        .to_str()
        .ok()
        .and_then(timeout::parse)
}

fn unsupported() -> Response<()> {
    let mut response = Response::new(());
    *response.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    response
}

fn headers() -> Response<()> {
    let mut response = Response::new(());
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static(rust_h2::CONTENT_TYPE),
    );
    response
}

/// Sends replies. The headers go with the first one, so that an error without any can take
/// their place.
pub struct Replies {
    respond: SendResponse<Bytes>,
    sender: Option<Sender>,
}

impl Replies {
    pub async fn message(&mut self, message: &impl Message) -> Result<(), Status> {
        check_length(message.encoded_len())?;
        self.sender()?.message(message).await
    }

    /// Sends the replies that wait for more.
    pub async fn flush(&mut self) -> Result<(), Status> {
        match &mut self.sender {
            Some(sender) => sender.flush().await,
            None => Ok(()),
        }
    }

    fn sender(&mut self) -> Result<&mut Sender, Status> {
        let sender = match self.sender.take() {
            Some(sender) => sender,
            None => Sender::new(self.respond.send_response(headers(), false)?),
        };
        Ok(self.sender.insert(sender))
    }

    /// Ends the call after whatever replies wait, since the deadline may have passed within
    /// one of them.
    async fn end_with(&mut self, end: &Status) -> Result<(), Status> {
        self.flush().await?;
        if self.sender.is_some() || end.code == status::OK {
            return self.sender()?.end_with(end);
        }
        let mut response = headers();
        response.headers_mut().extend(end.trailers());
        self.respond.send_response(response, true)?;
        Ok(())
    }
}
