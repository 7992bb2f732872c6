//! How a call ends, and how trailers say so
//! (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use h2::Reason;
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode, utf8_percent_encode};
use prost::Message;

pub const OK: i32 = 0;
pub const CANCELED: i32 = 1;
pub const UNKNOWN: i32 = 2;
pub const INVALID_ARGUMENT: i32 = 3;
pub const DEADLINE_EXCEEDED: i32 = 4;
pub const RESOURCE_EXHAUSTED: i32 = 8;
pub const UNIMPLEMENTED: i32 = 12;
pub const INTERNAL: i32 = 13;
pub const UNAVAILABLE: i32 = 14;

const STATUS: HeaderName = HeaderName::from_static("grpc-status");
const MESSAGE: HeaderName = HeaderName::from_static("grpc-message");
const DETAILS: HeaderName = HeaderName::from_static("grpc-status-details-bin");

/// What has to be escaped in a message, besides what is not ASCII.
const ESCAPED: &AsciiSet = &CONTROLS.add(b'%');

/// The end of a call: a code, and if that is not OK a text, and perhaps details.
#[derive(Debug)]
pub struct Status {
    pub code: i32,
    pub message: String,
    details: Option<BadRequest>,
}

impl Status {
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
        }
    }

    pub fn ok() -> Self {
        Self::new(OK, "")
    }

    /// The status of a request with a field that cannot be served.
    pub fn invalid_field(field: &str, description: String) -> Self {
        let violation = FieldViolation {
            field: field.to_owned(),
            description: description.clone(),
        };
        let details = Some(BadRequest {
            field_violations: vec![violation],
        });
        Self {
            details,
            ..Self::new(INVALID_ARGUMENT, description)
        }
    }

    /// Trailers that say it.
    pub fn trailers(&self) -> HeaderMap {
        let mut trailers = HeaderMap::new();
        trailers.insert(STATUS, HeaderValue::from(self.code));
        if !self.message.is_empty() {
            let escaped = utf8_percent_encode(&self.message, ESCAPED).to_string();
            trailers.insert(
                MESSAGE,
                HeaderValue::try_from(escaped).expect("it has been escaped"),
            );
        }
        if let Some(details) = &self.details {
            let encoded = STANDARD_NO_PAD.encode(self.with_details(details).encode_to_vec());
            trailers.insert(
                DETAILS,
                HeaderValue::try_from(encoded).expect("base64 is ASCII"),
            );
        }
        trailers
    }

    /// What trailers say, without details. Headers without messages to follow are trailers
    /// too.
    pub fn from_trailers(trailers: &HeaderMap) -> Option<Self> {
        let code = trailers
            .get(STATUS)?
            .to_str()
            .ok()
            .and_then(|code| code.parse().ok())
            .unwrap_or(UNKNOWN);
        let message = trailers.get(MESSAGE).map_or_else(String::new, |message| {
            percent_decode(message.as_bytes())
                .decode_utf8_lossy()
                .into_owned()
        });
        Some(Self::new(code, message))
    }

    fn with_details(&self, details: &BadRequest) -> RpcStatus {
        let value = details.encode_to_vec();
        let any = Any {
            type_url: "type.googleapis.com/google.rpc.BadRequest".to_owned(),
            value,
        };
        RpcStatus {
            code: self.code,
            message: self.message.clone(),
            details: vec![any],
        }
    }
}

/// What is wrong with a stream or a connection.
impl From<h2::Error> for Status {
    fn from(error: h2::Error) -> Self {
        let code = match error.reason() {
            _ if error.is_io() || error.is_go_away() => UNAVAILABLE,
            Some(Reason::REFUSED_STREAM) => UNAVAILABLE,
            Some(Reason::CANCEL) => CANCELED,
            Some(Reason::ENHANCE_YOUR_CALM) => RESOURCE_EXHAUSTED,
            _ => INTERNAL,
        };
        Self::new(code, error.to_string())
    }
}

// From google/rpc/status.proto, google/rpc/error_details.proto and google/protobuf/any.proto,
// as far as it is needed here.

#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct BadRequest {
    #[prost(message, repeated, tag = "1")]
    field_violations: Vec<FieldViolation>,
}

#[derive(Clone, PartialEq, Message)]
struct FieldViolation {
    #[prost(string, tag = "1")]
    field: String,
    #[prost(string, tag = "2")]
    description: String,
}
