//! A connection, and the calls that begin on it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use greet_peer::call::Failure;
use greet_peer::load::{Dialer, Library};
use h2::RecvStream;
use h2::client::{Builder, ResponseFuture, SendRequest};
use http::header::{CONTENT_TYPE, TE};
use http::{HeaderMap, Request, Response, StatusCode};
use prost::Message;
use rust_h2::SERVICE;
use rust_h2::messages::{Receiver, Sender};
use rust_h2::status::{INTERNAL, OK, Status, UNKNOWN};
use rust_h2::timeout;

use crate::calls::Greeter;

/// The windows of a stream and of a connection, the same as tonic's.
const STREAM_WINDOW_BYTES: u32 = 2 << 20;
const CONNECTION_WINDOW_BYTES: u32 = 5 << 20;

/// The library under load.
pub struct H2;

impl Library for H2 {
    type Client = Greeter;

    async fn connect(&self, dialer: Dialer) -> Result<Greeter, Failure> {
        let socket = dialer.dial().await.map_err(Failure::unavailable)?;
        let (requests, connection) = Builder::new()
            .initial_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .enable_push(false)
            .handshake(socket)
            .await
            .map_err(Failure::unavailable)?;
        tokio::spawn(connection); // the calls on it fail when it does
        Ok(Greeter(Connection {
            requests,
            authority: dialer.addr,
        }))
    }
}

#[derive(Clone)]
pub struct Connection {
    requests: SendRequest<Bytes>,
    authority: Arc<str>,
}

impl Connection {
    /// Begins a call, as soon as the server lets another stream be open.
    pub async fn begin(
        &self,
        method: &str,
        deadline: Duration,
    ) -> Result<(Sender, Replies), Status> {
        let request = Request::post(format!("http://{}{SERVICE}{method}", self.authority))
            .header(TE, "trailers")
            .header(CONTENT_TYPE, rust_h2::CONTENT_TYPE)
            .header(timeout::HEADER, timeout::format(deadline))
            .body(())
            .map_err(|error| Status::new(INTERNAL, error.to_string()))?;
        let (response, stream) = self
            .requests
            .clone()
            .ready()
            .await?
            .send_request(request, false)?;
        Ok((Sender::new(stream), Replies::Awaited(response)))
    }
}

/// Receives replies, and the status after them.
pub enum Replies {
    Awaited(ResponseFuture),
    Coming(Receiver),
    Ended,
}

impl Replies {
    /// The next reply, or none once the call has ended well.
    pub async fn message<M: Message + Default>(&mut self) -> Result<Option<M>, Status> {
        if let Self::Awaited(response) = self {
            *self = begun(response.await?)?;
        }
        let Self::Coming(receiver) = self else {
            return Ok(None);
        };
        let message = receiver.message().await?;
        if message.is_none() {
            well_ended(&receiver.trailers().await?.unwrap_or_default())?;
            *self = Self::Ended;
        }
        Ok(message)
    }

    /// The one reply that there must be, and the end of the call.
    pub async fn only<M: Message + Default>(&mut self) -> Result<M, Status> {
        match (self.message().await?, self.message::<M>().await?) {
            (Some(message), None) => Ok(message),
            (None, _) => Err(Status::new(INTERNAL, "the reply is missing")),
            (Some(_), Some(_)) => Err(Status::new(INTERNAL, "there is more than one reply")),
        }
    }
}

/// What follows the headers: nothing, if they say how the call has ended.
fn begun(response: Response<RecvStream>) -> Result<Replies, Status> {
    let (head, body) = response.into_parts();
    if head.status != StatusCode::OK {
        return Err(Status::new(UNKNOWN, format!("HTTP status {}", head.status)));
    }
    if Status::from_trailers(&head.headers).is_none() {
        return Ok(Replies::Coming(Receiver::new(body)));
    }
    well_ended(&head.headers)?;
    Ok(Replies::Ended)
}

fn well_ended(trailers: &HeaderMap) -> Result<(), Status> {
    match Status::from_trailers(trailers) {
        Some(status) if status.code == OK => Ok(()),
        Some(status) => Err(status),
        None => Err(Status::new(INTERNAL, "the call ended without a status")),
    }
}
