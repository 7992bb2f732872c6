//! One call in each mode, with its reply checked in full.

use std::{fmt::Write, iter::repeat_n};

use connectrpc::{
    ConnectError,
    client::{CallOptions, stream_iter},
};
use rust_connect::proto::greet::v1::{
    GreetChatRequest, GreetChatResponse, GreetCountRequest, GreetRequest, GreetServiceClient,
    GreetStreamRequest, GreetStreamResponse,
};

use crate::{
    plan::{Mode, Plan},
    transport::Transport,
};

/// Why a call does not count.
pub struct Failure {
    pub code: &'static str,
    pub text: String,
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        Self {
            code: error.code.as_str(),
            text: error.to_string(),
        }
    }
}

/// Makes calls of one kind on one connection.
#[derive(Clone)]
pub struct Caller {
    client: GreetServiceClient<Transport>,
    mode: Mode,
    messages: usize,
    name: String,
    hello: String,
    hi: String,
    options: CallOptions,
}

impl Caller {
    pub fn new(client: GreetServiceClient<Transport>, plan: &Plan) -> Self {
        let name = "x".repeat(plan.payload_bytes);
        Self {
            client,
            mode: plan.mode,
            messages: plan.messages,
            hello: format!("Hello, {name}!"),
            hi: format!("Hi, {name}!"),
            name,
            options: CallOptions::default().with_timeout(plan.deadline()),
        }
    }

    pub async fn call(&self) -> Result<(), Failure> {
        match self.mode {
            Mode::Unary => self.unary().await,
            Mode::ServerStream => self.server_stream().await,
            Mode::ClientStream => self.client_stream().await,
            Mode::Bidi => self.bidi().await,
        }
    }

    async fn unary(&self) -> Result<(), Failure> {
        let request = GreetRequest {
            name: self.name.clone(),
            ..Default::default()
        };
        let reply = self
            .client
            .greet_with_options(request, self.options.clone())
            .await?;
        expect_text(reply.view().greeting, &self.hello)
    }

    async fn server_stream(&self) -> Result<(), Failure> {
        let request = GreetStreamRequest {
            name: self.name.clone(),
            count: self.messages as i32,
            ..Default::default()
        };
        let mut replies = self
            .client
            .greet_stream_with_options(request, self.options.clone())
            .await?;
        let (mut received, mut want) = (0, String::new());
        while let Some(reply) = replies.message::<GreetStreamResponse>().await? {
            received += 1;
            want.clear();
            let _ = write!(want, "Hello #{received}, {}!", self.name); // a String takes all
            expect_text(reply.greeting(), &want)?;
        }
        expect_count(received, self.messages)
    }

    async fn client_stream(&self) -> Result<(), Failure> {
        let request = GreetCountRequest {
            name: self.name.clone(),
            ..Default::default()
        };
        let requests = stream_iter(repeat_n(request, self.messages));
        let reply = self
            .client
            .greet_count_with_options(requests, self.options.clone())
            .await?;
        expect_count(reply.view().count as usize, self.messages)
    }

    /// Sends and receives in two tasks, each as fast as flow control lets it.
    async fn bidi(&self) -> Result<(), Failure> {
        let chat = self
            .client
            .greet_chat_with_options(self.options.clone())
            .await?;
        let (mut requests, mut replies) = chat.into_split();
        let request = GreetChatRequest {
            name: self.name.clone(),
            ..Default::default()
        };
        let messages = self.messages;
        tokio::spawn(async move {
            for _ in 0..messages {
                // The receiving half learns why a stream takes no more.
                if requests.send(request.clone()).await.is_err() {
                    break;
                }
            }
        });
        let mut received = 0;
        while let Some(reply) = replies.message::<GreetChatResponse>().await? {
            received += 1;
            expect_text(reply.greeting(), &self.hi)?;
        }
        expect_count(received, self.messages)
    }
}

fn expect_text(got: &str, want: &str) -> Result<(), Failure> {
    if got == want {
        return Ok(());
    }
    Err(wrong(format!(
        "got {:?}, want {:?}",
        short(got),
        short(want)
    )))
}

fn expect_count(got: usize, want: usize) -> Result<(), Failure> {
    if got == want {
        return Ok(());
    }
    Err(wrong(format!("got {got} messages, want {want}")))
}

fn wrong(text: String) -> Failure {
    Failure {
        code: "wrong_reply",
        text: format!("wrong_reply: {text}"),
    }
}

/// The beginning of a text.
fn short(text: &str) -> &str {
    let end = text.char_indices().nth(40).map_or(text.len(), |(i, _)| i);
    &text[..end]
}
