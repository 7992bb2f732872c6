//! Calls in the four modes, each with its reply checked.
//!
//! A send that fails is no news here: the server has ended the call, and the reply says how.

use greet_peer::call::{Call, Client, Failure, Greetings, Mode, check_count};
use prost::Message;
use rust_h2::greet::v1::{
    GreetChatRequest, GreetChatResponse, GreetCountRequest, GreetCountResponse, GreetRequest,
    GreetResponse, GreetStreamRequest, GreetStreamResponse,
};
use rust_h2::messages::Sender;
use rust_h2::status::Status;
use tokio_util::task::AbortOnDropHandle;

use crate::connection::Connection;

/// A client on one connection.
#[derive(Clone)]
pub struct Greeter(pub Connection);

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
    async fn greet(&self, call: &Call) -> Result<(), Failure> {
        let (mut requests, mut replies) = self
            .0
            .begin("Greet", call.deadline)
            .await
            .map_err(failure)?;
        let request = GreetRequest {
            name: call.name.clone(),
        };
        let _ = send_all(&mut requests, &request, 1).await;
        let GreetResponse { greeting } = replies.only().await.map_err(failure)?;
        Greetings::new(call).check(&greeting)
    }

    async fn greet_stream(&self, call: &Call) -> Result<(), Failure> {
        let (mut requests, mut replies) = self
            .0
            .begin("GreetStream", call.deadline)
            .await
            .map_err(failure)?;
        let count = i32::try_from(call.messages).unwrap_or(i32::MAX);
        let request = GreetStreamRequest {
            name: call.name.clone(),
            count,
        };
        let _ = send_all(&mut requests, &request, 1).await;
        let mut greetings = Greetings::new(call);
        while let Some(GreetStreamResponse { greeting }) =
            replies.message().await.map_err(failure)?
        {
            greetings.check(&greeting)?;
        }
        greetings.check_end()
    }

    async fn greet_count(&self, call: &Call) -> Result<(), Failure> {
        let (mut requests, mut replies) = self
            .0
            .begin("GreetCount", call.deadline)
            .await
            .map_err(failure)?;
        let request = GreetCountRequest {
            name: call.name.clone(),
        };
        let _ = send_all(&mut requests, &request, call.messages).await;
        let GreetCountResponse { count } = replies.only().await.map_err(failure)?;
        check_count(call, count)
    }

    /// Sends in a task of its own, which ends with the call, while replies are read here.
    async fn greet_chat(&self, call: &Call) -> Result<(), Failure> {
        let (mut requests, mut replies) = self
            .0
            .begin("GreetChat", call.deadline)
            .await
            .map_err(failure)?;
        let (request, times) = (
            GreetChatRequest {
                name: call.name.clone(),
            },
            call.messages,
        );
        let _sending = AbortOnDropHandle::new(tokio::spawn(async move {
            let _ = send_all(&mut requests, &request, times).await;
        }));
        let mut greetings = Greetings::new(call);
        while let Some(GreetChatResponse { greeting }) = replies.message().await.map_err(failure)? {
            greetings.check(&greeting)?;
        }
        greetings.check_end()
    }
}

/// Sends the request so many times, and then ends the direction.
async fn send_all(requests: &mut Sender, request: &impl Message, times: u32) -> Result<(), Status> {
    for _ in 0..times {
        requests.message(request).await?;
    }
    requests.end().await
}

fn failure(status: Status) -> Failure {
    Failure::of_status(status.code, status.message)
}
