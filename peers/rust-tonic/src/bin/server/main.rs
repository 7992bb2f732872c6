//! Serves greet.v1 with tonic, as a server that the benchmark starts.

mod codes;
mod greeter;

use std::error::Error;

use clap::Parser;
use greet_peer::process::{self, Accepted, MAX_STREAMS};
use rust_tonic::greet::v1::greet_service_server::GreetServiceServer;
use tokio::net::TcpListener;
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{self, Server};
use tower::util::MapResponseLayer;

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
    /// Print the libraries with their versions, and serve nothing
    #[arg(long)]
    libraries: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    if args.libraries {
        let lock = include_str!("../../../Cargo.lock");
        process::print_libraries(lock, &["tonic", "prost", "hyper", "h2", "tokio"]);
        return Ok(());
    }
    process::runtime(args.workers)?.block_on(process::run(&args.addr, serve))
}

async fn serve(
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
        .layer(MapResponseLayer::new(codes::correct_code))
        .add_service(GreetServiceServer::new(Greeter))
        .serve_with_incoming_shutdown(incoming, stop.cancelled_owned())
        .await
}
