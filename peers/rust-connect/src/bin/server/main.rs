//! Serves greet.v1 with connectrpc, as a server that the benchmark starts: it prints
//! where it listens, drains on SIGTERM, and ends with its standard input. Connect, gRPC
//! and gRPC-Web, over HTTP/1.1 and h2c, all come to the one port.

mod greeter;
mod libraries;

use std::{error::Error, future::Future, io, thread, time::Duration};

use clap::Parser;
use connectrpc::{ConnectRpcService, Limits, Server};
use futures::FutureExt;
use rust_connect::{
    CONNECTION_WINDOW_BYTES, MAX_MESSAGE_BYTES, STREAM_WINDOW_BYTES,
    proto::greet::v1::GreetServiceServer,
};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::oneshot,
    time::sleep,
};

use greeter::Greeter;

const MAX_CONCURRENT_STREAMS: u32 = 100;
/// How long calls in flight may go on once the server is told to stop.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);

#[derive(Parser)]
struct Args {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:0")]
    addr: String,
    /// Worker threads; one for each core unless given
    #[arg(long)]
    workers: Option<usize>,
    /// Print the libraries with their versions, and serve nothing
    #[arg(long)]
    libraries: bool,
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let args = Args::parse();
    if args.libraries {
        libraries::print();
        return Ok(());
    }
    rust_connect::runtime(args.workers)?.block_on(serve(&args.addr))
}

async fn serve(addr: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = Server::bind(addr)
        .await?
        .with_max_concurrent_streams(MAX_CONCURRENT_STREAMS)
        .with_http2_initial_stream_window_size(STREAM_WINDOW_BYTES)
        .with_http2_initial_connection_window_size(CONNECTION_WINDOW_BYTES);
    let limits = Limits::default()
        .with_max_request_body_size(MAX_MESSAGE_BYTES)
        .with_max_message_size(MAX_MESSAGE_BYTES);
    let service = ConnectRpcService::new(GreetServiceServer::new(Greeter)).with_limits(limits);
    let stop = told_to_stop()?.shared();
    println!("listening {}", server.local_addr()?);
    tokio::select! {
        served = server.serve_with_service_and_shutdown(service, stop.clone()) => served,
        () = stop.then(|()| sleep(DRAIN_LIMIT)) => Ok(()),
    }
}

/// Ends at a signal, or when whoever started this process is gone.
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let orphaned = input_ends();
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = orphaned => {}
        }
    })
}

/// Reads on a thread of its own: tokio's would keep the runtime from ending.
fn input_ends() -> oneshot::Receiver<()> {
    let (ended, wait) = oneshot::channel();
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        let _ = ended.send(());
    });
    wait
}
