//! What the four modes of greet.v1 mean, one handler each.

use std::pin::Pin;

use rust_tonic::greet::v1::greet_service_server::GreetService;
use rust_tonic::greet::v1::{
    GreetChatRequest, GreetChatResponse, GreetCountRequest, GreetCountResponse, GreetRequest,
    GreetResponse, GreetStreamRequest, GreetStreamResponse,
};
use tokio_stream::{Stream, StreamExt};
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_types::{ErrorDetails, StatusExt};

use crate::codes::{correct_status, fitting, within_deadline};

const MAX_COUNT: i32 = 100_000;

type Replies<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

pub struct Greeter;

#[tonic::async_trait]
impl GreetService for Greeter {
    type GreetStreamStream = Replies<GreetStreamResponse>;
    type GreetChatStream = Replies<GreetChatResponse>;

    async fn greet(
        &self,
        request: Request<GreetRequest>,
    ) -> Result<Response<GreetResponse>, Status> {
        let GreetRequest { name } = request.into_inner();
        fitting(GreetResponse {
            greeting: format!("Hello, {name}!"),
        })
        .map(Response::new)
    }

    // The stream makes a greeting when one is asked of it, so that a client that reads
    // slowly does not fill this process's memory.
    async fn greet_stream(
        &self,
        request: Request<GreetStreamRequest>,
    ) -> Result<Response<Self::GreetStreamStream>, Status> {
        let GreetStreamRequest { name, count } = request.into_inner();
        if !(0..=MAX_COUNT).contains(&count) {
            return Err(invalid_count(count));
        }
        let greet = move |i| {
            fitting(GreetStreamResponse {
                greeting: format!("Hello #{i}, {name}!"),
            })
        };
        Ok(Response::new(Box::pin(tokio_stream::iter(
            (1..=count).map(greet),
        ))))
    }

    async fn greet_count(
        &self,
        request: Request<Streaming<GreetCountRequest>>,
    ) -> Result<Response<GreetCountResponse>, Status> {
        let (metadata, _, requests) = request.into_parts();
        let count = within_deadline(&metadata, count_all(requests)).await?;
        Ok(Response::new(GreetCountResponse { count }))
    }

    async fn greet_chat(
        &self,
        request: Request<Streaming<GreetChatRequest>>,
    ) -> Result<Response<Self::GreetChatStream>, Status> {
        let replies = request.into_inner().map(|request| {
            let GreetChatRequest { name } = request.map_err(correct_status)?;
            fitting(GreetChatResponse {
                greeting: format!("Hi, {name}!"),
            })
        });
        Ok(Response::new(Box::pin(replies)))
    }
}

async fn count_all(mut requests: Streaming<GreetCountRequest>) -> Result<i32, Status> {
    let mut count = 0;
    while requests.message().await?.is_some() {
        count += 1;
    }
    Ok(count)
}

fn invalid_count(count: i32) -> Status {
    let text = format!("count must be between 0 and {MAX_COUNT}, got {count}");
    let details = ErrorDetails::with_bad_request_violation("count", &text);
    Status::with_error_details(Code::InvalidArgument, text, details)
}
