//! What the four modes of greet.v1 answer.

use buffa::Message;
use connectrpc::{
    ConnectError, ErrorDetail, InboundStream, RequestContext, Response, ServiceRequest,
    ServiceResult, ServiceStream,
};
use futures::{StreamExt, stream};
use rust_connect::{
    MAX_MESSAGE_BYTES,
    proto::{
        google::rpc::{BadRequest, bad_request::FieldViolation},
        greet::v1::{
            GreetChatRequest, GreetChatResponse, GreetCountRequest, GreetCountResponse,
            GreetRequest, GreetResponse, GreetService, GreetStreamRequest, GreetStreamResponse,
        },
    },
};

const LARGEST_COUNT: i32 = 100_000;

pub struct Greeter;

#[allow(refining_impl_trait)]
impl GreetService for Greeter {
    async fn greet(
        &self,
        _: RequestContext,
        request: ServiceRequest<'_, GreetRequest>,
    ) -> ServiceResult<GreetResponse> {
        Response::ok(sendable(GreetResponse {
            greeting: format!("Hello, {}!", request.name),
            ..Default::default()
        })?)
    }

    async fn greet_stream(
        &self,
        _: RequestContext,
        request: ServiceRequest<'_, GreetStreamRequest>,
    ) -> ServiceResult<ServiceStream<GreetStreamResponse>> {
        let count = check_count(request.count)?;
        let name = request.name.to_owned();
        Response::stream_ok(stream::iter(1..=count).map(move |i| {
            sendable(GreetStreamResponse {
                greeting: format!("Hello #{i}, {name}!"),
                ..Default::default()
            })
        }))
    }

    async fn greet_count(
        &self,
        _: RequestContext,
        mut requests: InboundStream<GreetCountRequest>,
    ) -> ServiceResult<GreetCountResponse> {
        let mut count = 0;
        while let Some(request) = requests.next().await {
            request?;
            count += 1;
        }
        Response::ok(GreetCountResponse {
            count,
            ..Default::default()
        })
    }

    async fn greet_chat(
        &self,
        _: RequestContext,
        requests: InboundStream<GreetChatRequest>,
    ) -> ServiceResult<ServiceStream<GreetChatResponse>> {
        Response::stream_ok(requests.map(|request| {
            sendable(GreetChatResponse {
                greeting: format!("Hi, {}!", request?.name()),
                ..Default::default()
            })
        }))
    }
}

fn check_count(count: i32) -> Result<i32, ConnectError> {
    if (0..=LARGEST_COUNT).contains(&count) {
        return Ok(count);
    }
    let text = format!("count must be between 0 and {LARGEST_COUNT}, got {count}");
    let refused = BadRequest {
        field_violations: vec![FieldViolation {
            field: "count".into(),
            description: text.clone(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let detail = ErrorDetail::from_message("google.rpc.BadRequest", &refused);
    Err(ConnectError::invalid_argument(text).with_detail(detail))
}

/// Refuses a reply that is too large: the library limits only what it receives.
fn sendable<M: Message>(reply: M) -> Result<M, ConnectError> {
    let size = reply.encoded_len();
    if size as usize > MAX_MESSAGE_BYTES {
        let text = format!("the reply has {size} bytes, and at most {MAX_MESSAGE_BYTES} are sent");
        return Err(ConnectError::resource_exhausted(text));
    }
    Ok(reply)
}
