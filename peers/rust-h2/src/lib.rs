//! gRPC over the h2 crate, as much of it as both ends of greet.v1 need: messages on streams
//! of HTTP/2, the status of a call, and the code generated from the schema.

pub mod messages;
pub mod status;
pub mod timeout;

pub mod greet {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/greet.v1.rs"));
    }
}

/// The service's part of a path.
pub const SERVICE: &str = "/greet.v1.GreetService/";

/// The type of a message's content.
pub const CONTENT_TYPE: &str = "application/grpc";
