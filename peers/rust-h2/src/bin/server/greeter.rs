//! What the four modes of greet.v1 mean, one function each.

use rust_h2::SERVICE;
use rust_h2::greet::v1::{
    GreetChatRequest, GreetChatResponse, GreetCountRequest, GreetCountResponse, GreetRequest,
    GreetResponse, GreetStreamRequest, GreetStreamResponse,
};
use rust_h2::messages::Receiver;
use rust_h2::status::{Status, UNIMPLEMENTED};

use crate::answer::Replies;

const MAX_COUNT: i32 = 100_000;

/// Serves the call of a path. An error is the status that the call ends with.
pub async fn serve(
    path: &str,
    requests: &mut Receiver,
    replies: &mut Replies,
) -> Result<(), Status> {
    match path.strip_prefix(SERVICE) {
        Some("Greet") => greet(requests, replies).await,
        Some("GreetStream") => greet_stream(requests, replies).await,
        Some("GreetCount") => greet_count(requests, replies).await,
        Some("GreetChat") => greet_chat(requests, replies).await,
        _ => Err(Status::new(
            UNIMPLEMENTED,
            format!("there is no method {path}"),
        )),
    }
}

async fn greet(requests: &mut Receiver, replies: &mut Replies) -> Result<(), Status> {
    let GreetRequest { name } = requests.only().await?;
    replies
        .message(&GreetResponse {
            greeting: format!("Hello, {name}!"),
        })
        .await
}

async fn greet_stream(requests: &mut Receiver, replies: &mut Replies) -> Result<(), Status> {
    let GreetStreamRequest { name, count } = requests.only().await?;
    if !(0..=MAX_COUNT).contains(&count) {
        return Err(Status::invalid_field(
            "count",
            format!("count must be between 0 and {MAX_COUNT}, got {count}"),
        ));
    }
    for i in 1..=count {
        replies
            .message(&GreetStreamResponse {
                greeting: format!("Hello #{i}, {name}!"),
            })
            .await?;
    }
    Ok(())
}

async fn greet_count(requests: &mut Receiver, replies: &mut Replies) -> Result<(), Status> {
    let mut count = 0;
    while requests.message::<GreetCountRequest>().await?.is_some() {
        count += 1;
    }
    replies.message(&GreetCountResponse { count }).await
}

/// Holds replies back only while it need not wait for the next request.
async fn greet_chat(requests: &mut Receiver, replies: &mut Replies) -> Result<(), Status> {
    while let Some(GreetChatRequest { name }) = requests.message().await? {
        let greeting = format!("Hi, {name}!");
        replies.message(&GreetChatResponse { greeting }).await?;
        if !requests.has_message() {
            replies.flush().await?;
        }
    }
    Ok(())
}
