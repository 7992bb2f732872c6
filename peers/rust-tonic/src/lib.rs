//! What the server and the benchmark client share: the code generated from the schema, for
//! each of two codecs.

mod codec;

#[path = "../gen/greet/v1/generated.rs"]
#[allow(clippy::all)]
#[rustfmt::skip]
mod protobuf_messages;

/// The service on messages of prost, tonic's own choice.
pub mod with_prost {
    tonic::include_proto!("greet.v1");
}

/// The service on messages of Google's protobuf.
pub mod with_protobuf {
    pub use crate::protobuf_messages::*;

    include!(concat!(env!("OUT_DIR"), "/greet.v1.GreetService.rs"));
}
