//! Serves greet.v1 with tonic, as a server that the benchmark starts.

mod greeter;

use std::error::Error;

use clap::Parser;
use greet_peer::process::{self, Accepted, MAX_MESSAGE_BYTES, MAX_STREAMS};
use rust_tonic::{with_prost, with_protobuf};
use tokio::net::TcpListener;
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{self, Server};

use crate::greeter::Greeter;

#[derive(Parser)]
#[command(about = "Serves greet.v1 with tonic")]
struct Args {
    /// Where to listen
    #[arg(default_value = "127.0.0.1:0")]
    addr: String,
    /// How many worker threads the runtime has, instead of one for each core
    #[arg(long)]
    workers: Option<usize>,
    /// Ignored, since it is about the client
    #[arg(long)]
    boxed: bool,
    /// Use Google's protobuf as codec, instead of prost
    #[arg(long)]
    protobuf: bool,
    /// Print the libraries with their versions, and serve nothing
    #[arg(long)]
    libraries: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    if args.libraries {
        let lock = include_str!("../../../Cargo.lock");
        process::print_libraries(
            lock,
            &["tonic", "prost", "protobuf", "hyper", "h2", "tokio"],
        );
        return Ok(());
    }
    let routes = routes(args.protobuf);
    let serve = |listener, accepted, stop| serve(routes, listener, accepted, stop);
    process::runtime(args.workers)?.block_on(process::run(&args.addr, serve))
}

/// The service in one codec. That it takes messages of up to 4 MiB is tonic's default.
fn routes(protobuf: bool) -> Routes {
    if protobuf {
        let service = with_protobuf::greet_service_server::GreetServiceServer::new(Greeter);
        Routes::new(service.max_encoding_message_size(MAX_MESSAGE_BYTES))
    } else {
        let service = with_prost::greet_service_server::GreetServiceServer::new(Greeter);
        Routes::new(service.max_encoding_message_size(MAX_MESSAGE_BYTES))
    }
}

async fn serve(
    routes: Routes,
    listener: TcpListener,
    accepted: Accepted,
    stop: CancellationToken,
) -> Result<(), transport::Error> {
    let incoming = TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .map(move |connection| {
            accepted.add_one();
            connection
        });
    Server::builder()
        .max_concurrent_streams(MAX_STREAMS)
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming, stop.cancelled_owned())
        .await
}
