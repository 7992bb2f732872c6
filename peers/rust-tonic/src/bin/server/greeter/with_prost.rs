use rust_tonic::with_prost::greet_service_server::GreetService;
use rust_tonic::with_prost::{
    GreetChatRequest, GreetChatResponse, GreetCountRequest, GreetCountResponse, GreetRequest,
    GreetResponse, GreetStreamRequest, GreetStreamResponse,
};
use tonic::{Request, Response, Status, Streaming};

use super::{Greeter, Replies, answer_each, count_all, greet_all};

#[tonic::async_trait]
impl GreetService for Greeter {
    type GreetStreamStream = Replies<GreetStreamResponse>;
    type GreetChatStream = Replies<GreetChatResponse>;

    async fn greet(
        &self,
        request: Request<GreetRequest>,
    ) -> Result<Response<GreetResponse>, Status> {
        let GreetRequest { name } = request.into_inner();
        Ok(Response::new(GreetResponse {
            greeting: format!("Hello, {name}!"),
        }))
    }

    async fn greet_stream(
        &self,
        request: Request<GreetStreamRequest>,
    ) -> Result<Response<Self::GreetStreamStream>, Status> {
        let GreetStreamRequest { name, count } = request.into_inner();
        let replies = greet_all(count, move |i| GreetStreamResponse {
            greeting: format!("Hello #{i}, {name}!"),
        })?;
        Ok(Response::new(replies))
    }

    async fn greet_count(
        &self,
        request: Request<Streaming<GreetCountRequest>>,
    ) -> Result<Response<GreetCountResponse>, Status> {
        let count = count_all(request.into_inner()).await?;
        Ok(Response::new(GreetCountResponse { count }))
    }

    async fn greet_chat(
        &self,
        request: Request<Streaming<GreetChatRequest>>,
    ) -> Result<Response<Self::GreetChatStream>, Status> {
        let replies = answer_each(request.into_inner(), |GreetChatRequest { name }| {
            GreetChatResponse {
                greeting: format!("Hi, {name}!"),
            }
        });
        Ok(Response::new(replies))
    }
}
