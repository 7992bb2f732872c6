//! Google's protobuf as a codec of tonic's.

use std::marker::PhantomData;

use bytes::{Buf, BufMut};
use protobuf::Message;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

pub struct ProtobufCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for ProtobufCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T: Message + 'static, U: Message + 'static> Codec for ProtobufCodec<T, U> {
    type Encode = T;
    type Decode = U;
    type Encoder = ProtobufEncoder<T>;
    type Decoder = ProtobufDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProtobufEncoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProtobufDecoder(PhantomData)
    }
}

pub struct ProtobufEncoder<T>(PhantomData<T>);

impl<T: Message> Encoder for ProtobufEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        let bytes = message
            .serialize()
            .map_err(|error| Status::internal(error.to_string()))?;
        buffer.put_slice(&bytes);
        Ok(())
    }
}

pub struct ProtobufDecoder<U>(PhantomData<U>);

impl<U: Message> Decoder for ProtobufDecoder<U> {
    type Item = U;
    type Error = Status;

    // The buffer is one chunk: tonic waits for all of a message, and copies it together.
    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let bytes = buffer.chunk();
        let message = U::parse(bytes).map_err(|error| Status::internal(error.to_string()))?;
        buffer.advance(buffer.remaining());
        Ok(Some(message))
    }
}
