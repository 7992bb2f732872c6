//! Calls in the four modes, each with its reply checked.

use std::iter::repeat_n;

use greet_peer::call::{Call, Client, Failure, Greetings, Mode, check_count};
use rust_tonic::greet::v1::greet_service_client::GreetServiceClient;
use rust_tonic::greet::v1::{
    GreetChatRequest, GreetCountRequest, GreetRequest, GreetStreamRequest,
};
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::codegen::StdError;
use tonic::{Code, Request, Status};

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
        let count = i32::try_from(call.messages).unwrap_or(i32::MAX);
        let request = GreetStreamRequest {
            name: call.name.clone(),
            count,
        };
        let mut replies = self
            .0
            .greet_stream(timed(request, call))
            .await
            .map_err(failure)?
            .into_inner();
        let mut greetings = Greetings::new(call);
        while let Some(reply) = replies.message().await.map_err(failure)? {
            greetings.check(&reply.greeting)?;
        }
        greetings.check_end()
    }

    async fn greet_count(&mut self, call: &Call) -> Result<(), Failure> {
        let request = GreetCountRequest {
            name: call.name.clone(),
        };
        let requests = tokio_stream::iter(repeat_n(request, call.messages as usize));
        let reply = self
            .0
            .greet_count(timed(requests, call))
            .await
            .map_err(failure)?;
        check_count(call, reply.get_ref().count)
    }

    /// Requests go out in a task of the connection's own, as fast as flow control lets
    /// them, while replies are read here.
    async fn greet_chat(&mut self, call: &Call) -> Result<(), Failure> {
        let request = GreetChatRequest {
            name: call.name.clone(),
        };
        let requests = tokio_stream::iter(repeat_n(request, call.messages as usize));
        let mut replies = self
            .0
            .greet_chat(timed(requests, call))
            .await
            .map_err(failure)?
            .into_inner();
        let mut greetings = Greetings::new(call);
        while let Some(reply) = replies.message().await.map_err(failure)? {
            greetings.check(&reply.greeting)?;
        }
        greetings.check_end()
    }
}

/// A request that tells the server of the deadline.
fn timed<T>(message: T, call: &Call) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(call.deadline);
    request
}

/// tonic calls a deadline that has passed, here or at a server of its own, cancelled.
fn failure(status: Status) -> Failure {
    match status.code() {
        Code::Cancelled if status.message() == "Timeout expired" => Failure::deadline_exceeded(),
        code => Failure::of_status(code.into(), status.message()),
    }
}
