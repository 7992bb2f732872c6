//! Messages on a stream of HTTP/2: each is protobuf after five bytes of prefix.

use std::future::poll_fn;
use std::task::{Poll, ready};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use greet_peer::process::MAX_MESSAGE_BYTES;
use h2::{RecvStream, SendStream};
use http::HeaderMap;
use prost::Message;

use crate::status::{INTERNAL, RESOURCE_EXHAUSTED, Status, UNAVAILABLE, UNIMPLEMENTED};

/// A byte that says whether the message is compressed, and four of its length.
const PREFIX_BYTES: usize = 5;

/// When messages go out without being flushed, the same as tonic's.
const ENOUGH_BYTES: usize = 32 << 10;

/// Receives the messages of one direction.
pub struct Receiver {
    stream: RecvStream,
    buffer: BytesMut,
}

impl Receiver {
    pub fn new(stream: RecvStream) -> Self {
        Self {
            stream,
            buffer: BytesMut::new(),
        }
    }

    /// The next message, or none once the direction has ended.
    pub async fn message<M: Message + Default>(&mut self) -> Result<Option<M>, Status> {
        loop {
            if let Some(bytes) = self.buffered()? {
                let message =
                    M::decode(bytes).map_err(|error| Status::new(INTERNAL, error.to_string()))?;
                return Ok(Some(message));
            }
            match self.stream.data().await {
                Some(chunk) => self.keep(&chunk?)?,
                None if self.buffer.is_empty() => return Ok(None),
                None => return Err(Status::new(INTERNAL, "the stream ended within a message")),
            }
        }
    }

    /// The one message that there must be.
    pub async fn only<M: Message + Default>(&mut self) -> Result<M, Status> {
        match (self.message().await?, self.message::<M>().await?) {
            (Some(message), None) => Ok(message),
            (None, _) => Err(Status::new(INTERNAL, "the message is missing")),
            (Some(_), Some(_)) => Err(Status::new(INTERNAL, "there is more than one message")),
        }
    }

    /// Whether the next message need not be waited for.
    pub fn has_message(&self) -> bool {
        self.next_length()
            .is_some_and(|length| self.buffer.len() >= PREFIX_BYTES + length)
    }

    /// The length of the next message, once its prefix is there.
    fn next_length(&self) -> Option<usize> {
        let mut length = self.buffer.get(1..PREFIX_BYTES)?;
        Some(length.get_u32() as usize)
    }

    pub async fn trailers(&mut self) -> Result<Option<HeaderMap>, Status> {
        Ok(self.stream.trailers().await?)
    }

    /// Gives the other side room for as much again, since no more is read than the message
    /// that is waited for takes.
    fn keep(&mut self, chunk: &Bytes) -> Result<(), Status> {
        self.buffer.extend_from_slice(chunk);
        Ok(self.stream.flow_control().release_capacity(chunk.len())?)
    }

    /// Takes the next message out of the buffer, if it is there in full.
    fn buffered(&mut self) -> Result<Option<Bytes>, Status> {
        let Some(length) = self.next_length() else {
            return Ok(None);
        };
        if self.buffer[0] != 0 {
            return Err(Status::new(UNIMPLEMENTED, "the message is compressed"));
        }
        check_length(length)?;
        if !self.has_message() {
            let missing = PREFIX_BYTES + length - self.buffer.len();
            self.buffer.reserve(missing);
            return Ok(None);
        }
        self.buffer.advance(PREFIX_BYTES);
        Ok(Some(self.buffer.split_to(length).freeze()))
    }
}

/// Sends the messages of one direction. Small ones share a frame, as in other libraries:
/// they go out when there are enough of them, or with `flush`.
pub struct Sender {
    stream: SendStream<Bytes>,
    buffer: BytesMut,
}

impl Sender {
    pub fn new(stream: SendStream<Bytes>) -> Self {
        Self {
            stream,
            buffer: BytesMut::new(),
        }
    }

    pub async fn message(&mut self, message: &impl Message) -> Result<(), Status> {
        encode(message, &mut self.buffer);
        if self.buffer.len() >= ENOUGH_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    pub async fn flush(&mut self) -> Result<(), Status> {
        self.send(false).await
    }

    /// Flushes, and ends the direction.
    pub async fn end(&mut self) -> Result<(), Status> {
        if self.buffer.is_empty() {
            return Ok(self.stream.send_data(Bytes::new(), true)?);
        }
        self.send(true).await
    }

    /// Ends the direction, and with it the call, without a flush.
    pub fn end_with(&mut self, status: &Status) -> Result<(), Status> {
        Ok(self.stream.send_trailers(status.trailers())?)
    }

    /// Sends as the other side gives room, since h2 would keep any amount that waits for it.
    /// If it is dropped before the end, what has not been sent stays in the buffer.
    async fn send(&mut self, last: bool) -> Result<(), Status> {
        while !self.buffer.is_empty() {
            self.stream.reserve_capacity(self.buffer.len());
            let room = self.room().await?.min(self.buffer.len());
            let chunk = self.buffer.split_to(room).freeze();
            self.stream
                .send_data(chunk, last && self.buffer.is_empty())?;
        }
        Ok(())
    }

    /// Waits for room. h2 announces new room only once, so what there is comes first.
    async fn room(&mut self) -> Result<usize, Status> {
        poll_fn(|context| {
            loop {
                match self.stream.capacity() {
                    0 => match ready!(self.stream.poll_capacity(context)) {
                        Some(granted) => granted?,
                        None => {
                            return Poll::Ready(Err(Status::new(
                                UNAVAILABLE,
                                "the stream has been closed",
                            )));
                        }
                    },
                    room => return Poll::Ready(Ok(room)),
                };
            }
        })
        .await
    }
}

/// Appends a message with its prefix.
fn encode(message: &impl Message, buffer: &mut BytesMut) {
    let length = message.encoded_len();
    buffer.reserve(PREFIX_BYTES + length);
    buffer.put_u8(0);
    buffer.put_u32(length as u32);
    message.encode_raw(buffer);
}

/// Refuses a message that is too large to be taken or to be sent by a server.
pub fn check_length(length: usize) -> Result<(), Status> {
    if length > MAX_MESSAGE_BYTES {
        let text = format!("the message has {length} bytes, more than {MAX_MESSAGE_BYTES}");
        return Err(Status::new(RESOURCE_EXHAUSTED, text));
    }
    Ok(())
}
