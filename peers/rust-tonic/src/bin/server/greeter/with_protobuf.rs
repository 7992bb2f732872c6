use protobuf::proto;
use rust_tonic::with_protobuf::greet_service_server::GreetService;
use rust_tonic::with_protobuf::{
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
        let request = request.into_inner();
        Ok(Response::new(proto!(GreetResponse {
            greeting: format!("Hello, {}!", request.name()),
        })))
    }

    async fn greet_stream(
        &self,
        request: Request<GreetStreamRequest>,
    ) -> Result<Response<Self::GreetStreamStream>, Status> {
        let request = request.into_inner();
        let replies = greet_all(request.count(), move |i| {
            proto!(GreetStreamResponse {
                greeting: format!("Hello #{i}, {}!", request.name()),
            })
        })?;
        Ok(Response::new(replies))
    }

    async fn greet_count(
        &self,
        request: Request<Streaming<GreetCountRequest>>,
    ) -> Result<Response<GreetCountResponse>, Status> {
        let count = count_all(request.into_inner()).await?;
        Ok(Response::new(proto!(GreetCountResponse { count: count })))
    }

    async fn greet_chat(
        &self,
        request: Request<Streaming<GreetChatRequest>>,
    ) -> Result<Response<Self::GreetChatStream>, Status> {
        let replies = answer_each(request.into_inner(), |request: GreetChatRequest| {
            proto!(GreetChatResponse {
                greeting: format!("Hi, {}!", request.name()),
            })
        });
        Ok(Response::new(replies))
    }
}
