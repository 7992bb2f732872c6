use std::iter::repeat_n;

use greet_peer::call::{Call, Client, Failure, Greetings, Mode, check_count};
use rust_tonic::with_prost::greet_service_client::GreetServiceClient;
use rust_tonic::with_prost::{
    GreetChatRequest, GreetCountRequest, GreetRequest, GreetStreamRequest,
};
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::codegen::StdError;

use super::{check_all, failure, timed};

/// A client on one connection.
#[derive(Clone)]
pub struct Greeter<T>(pub GreetServiceClient<T>);

impl<T> Client for Greeter<T>
where
    T: GrpcService<Body, ResponseBody = Body, Error: Into<StdError>, Future: Send>
        + Clone
        + Send
        + 'static,
{
    async fn call(&mut self, call: &Call) -> Result<(), Failure> {
        match call.mode {
            Mode::Unary => self.greet(call).await,
            Mode::ServerStream => self.greet_stream(call).await,
            Mode::ClientStream => self.greet_count(call).await,
            Mode::Bidi => self.greet_chat(call).await,
        }
    }
}

impl<T> Greeter<T>
where
    T: GrpcService<Body, ResponseBody = Body, Error: Into<StdError>>,
{
    async fn greet(&mut self, call: &Call) -> Result<(), Failure> {
        let request = GreetRequest {
            name: call.name.clone(),
        };
        let reply = self.0.greet(timed(request, call)).await.map_err(failure)?;
        Greetings::new(call).check(&reply.get_ref().greeting)
    }

    async fn greet_stream(&mut self, call: &Call) -> Result<(), Failure> {
        let request = GreetStreamRequest {
            name: call.name.clone(),
            count: i32::try_from(call.messages).unwrap_or(i32::MAX),
        };
        let replies = self.0.greet_stream(timed(request, call)).await;
        check_all(
            call,
            replies.map_err(failure)?.into_inner(),
            |greetings, reply| greetings.check(&reply.greeting),
        )
        .await
    }

    async fn greet_count(&mut self, call: &Call) -> Result<(), Failure> {
        let request = GreetCountRequest {
            name: call.name.clone(),
        };
        let requests = tokio_stream::iter(repeat_n(request, call.messages as usize));
        let reply = self.0.greet_count(timed(requests, call)).await;
        check_count(call, reply.map_err(failure)?.get_ref().count)
    }

    async fn greet_chat(&mut self, call: &Call) -> Result<(), Failure> {
        let request = GreetChatRequest {
            name: call.name.clone(),
        };
        let requests = tokio_stream::iter(repeat_n(request, call.messages as usize));
        let replies = self.0.greet_chat(timed(requests, call)).await;
        check_all(
            call,
            replies.map_err(failure)?.into_inner(),
            |greetings, reply| greetings.check(&reply.greeting),
        )
        .await
    }
}
