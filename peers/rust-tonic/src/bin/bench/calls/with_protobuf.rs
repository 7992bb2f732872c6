use std::iter::repeat_n;

use greet_peer::call::{Call, Client, Failure, Greetings, Mode, check_count};
use protobuf::{ProtoStr, proto};
use rust_tonic::with_protobuf::greet_service_client::GreetServiceClient;
use rust_tonic::with_protobuf::{
    GreetChatRequest, GreetCountRequest, GreetRequest, GreetStreamRequest,
};
use tonic::transport::Channel;

use super::{check_all, failure, timed};

/// A client on one connection.
#[derive(Clone)]
pub struct Greeter(pub GreetServiceClient<Channel>);

impl Client for Greeter {
    async fn call(&mut self, call: &Call) -> Result<(), Failure> {
        match call.mode {
            Mode::Unary => self.greet(call).await,
            Mode::ServerStream => self.greet_stream(call).await,
            Mode::ClientStream => self.greet_count(call).await,
            Mode::Bidi => self.greet_chat(call).await,
        }
    }
}

impl Greeter {
    async fn greet(&mut self, call: &Call) -> Result<(), Failure> {
        let request = proto!(GreetRequest { name: &call.name });
        let reply = self.0.greet(timed(request, call)).await.map_err(failure)?;
        check(&mut Greetings::new(call), reply.get_ref().greeting())
    }

    async fn greet_stream(&mut self, call: &Call) -> Result<(), Failure> {
        let request = proto!(GreetStreamRequest {
            name: &call.name,
            count: i32::try_from(call.messages).unwrap_or(i32::MAX),
        });
        let replies = self.0.greet_stream(timed(request, call)).await;
        check_all(
            call,
            replies.map_err(failure)?.into_inner(),
            |greetings, reply| check(greetings, reply.greeting()),
        )
        .await
    }

    async fn greet_count(&mut self, call: &Call) -> Result<(), Failure> {
        let request = proto!(GreetCountRequest { name: &call.name });
        let requests = tokio_stream::iter(repeat_n(request, call.messages as usize));
        let reply = self.0.greet_count(timed(requests, call)).await;
        check_count(call, reply.map_err(failure)?.get_ref().count())
    }

    async fn greet_chat(&mut self, call: &Call) -> Result<(), Failure> {
        let request = proto!(GreetChatRequest { name: &call.name });
        let requests = tokio_stream::iter(repeat_n(request, call.messages as usize));
        let replies = self.0.greet_chat(timed(requests, call)).await;
        check_all(
            call,
            replies.map_err(failure)?.into_inner(),
            |greetings, reply| check(greetings, reply.greeting()),
        )
        .await
    }
}

fn check(greetings: &mut Greetings, greeting: &ProtoStr) -> Result<(), Failure> {
    let text = greeting
        .to_str()
        .map_err(|error| Failure::wrong_reply(error.to_string()))?;
    greetings.check(text)
}
