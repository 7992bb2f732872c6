//! Connections, with the transport as tonic has it or boxed, and in either codec.

use greet_peer::call::Failure;
use greet_peer::load::{Dialer, Library};
use hyper_util::rt::TokioIo;
use rust_tonic::{with_prost, with_protobuf};
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::transport::{self, Channel, Endpoint};
use tower::service_fn;
use tower::util::BoxCloneSyncService;

use crate::calls;

/// tonic's own channel.
pub struct Plain;

/// The channel in a boxed service, as programs have it that put layers of tower around it.
pub struct Boxed;

/// tonic's own channel, in Google's codec.
pub struct Protobuf;

impl Library for Plain {
    type Client = calls::with_prost::Greeter<Channel>;

    async fn connect(&self, dialer: Dialer) -> Result<Self::Client, Failure> {
        let channel = channel(dialer).await?;
        let client = with_prost::greet_service_client::GreetServiceClient::new(channel);
        Ok(calls::with_prost::Greeter(client))
    }
}

impl Library for Boxed {
    type Client = calls::with_prost::Greeter<
        BoxCloneSyncService<Request<Body>, Response<Body>, transport::Error>,
    >;

    async fn connect(&self, dialer: Dialer) -> Result<Self::Client, Failure> {
        let boxed = BoxCloneSyncService::new(channel(dialer).await?);
        let client = with_prost::greet_service_client::GreetServiceClient::new(boxed);
        Ok(calls::with_prost::Greeter(client))
    }
}

impl Library for Protobuf {
    type Client = calls::with_protobuf::Greeter;

    async fn connect(&self, dialer: Dialer) -> Result<Self::Client, Failure> {
        let channel = channel(dialer).await?;
        let client = with_protobuf::greet_service_client::GreetServiceClient::new(channel);
        Ok(calls::with_protobuf::Greeter(client))
    }
}

async fn channel(dialer: Dialer) -> Result<Channel, Failure> {
    let endpoint =
        Endpoint::from_shared(format!("http://{}", dialer.addr)).map_err(Failure::unavailable)?;
    let connector = service_fn(move |_| {
        let dialer = dialer.clone();
        async move { dialer.dial().await.map(TokioIo::new) }
    });
    endpoint
        .connect_with_connector(connector)
        .await
        .map_err(|error| Failure::unavailable(root_cause(&error)))
}

/// What an error comes from, which tonic leaves out of its text.
fn root_cause<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> &'a (dyn std::error::Error + 'static) {
    error.source().map_or(error, root_cause)
}
