//! Calls a greet.v1 server with connectrpc's client and measures: it reads what to do
//! from standard input, one JSON object on a line, answers each on standard output, and
//! ends with its input.

mod calls;
mod codec;
mod dial;
mod load;
mod plan;
mod transport;

use std::{
    error::Error,
    io::{self, Write},
};

use clap::{Parser, ValueEnum};
use connectrpc::client::ClientConfig;
use hyper::Uri;
use rust_connect::{MAX_MESSAGE_BYTES, proto::greet::v1::GreetServiceClient};
use tokio::runtime::Runtime;

use calls::Caller;
use plan::{Answer, Mode, Outcome, Plan, Request};
use transport::{Line, Version};

#[derive(Parser)]
struct Args {
    /// Address of the server
    #[arg(long)]
    addr: String,
    #[arg(long)]
    protocol: Protocol,
    #[arg(long)]
    transport: Version,
    /// Worker threads; one for each core unless given
    #[arg(long)]
    workers: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    Connect,
    Grpc,
    Grpcweb,
}

impl From<Protocol> for connectrpc::Protocol {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Connect => Self::Connect,
            Protocol::Grpc => Self::Grpc,
            Protocol::Grpcweb => Self::GrpcWeb,
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let runtime = rust_connect::runtime(args.workers)?;
    let server = Server {
        uri: format!("http://{}", args.addr).parse()?,
        protocol: args.protocol,
        version: args.transport,
    };
    let mut output = io::stdout();
    for line in io::stdin().lines() {
        serde_json::to_writer(&mut output, &answer(&line?, &server, &runtime))?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(line: &str, server: &Server, runtime: &Runtime) -> Answer {
    let refused = |error: String| Answer::Refused { error };
    match serde_json::from_str(line) {
        Ok(Request::Codec(plan)) => Answer::Codec(codec::measure(&plan)),
        Ok(Request::Load(plan)) => match plan.fault().or(server.cannot(plan.mode)) {
            Some(fault) => refused(fault.to_owned()),
            None => Answer::Load(runtime.block_on(server.call(&plan))),
        },
        Err(error) => refused(format!("read request: {error}")),
    }
}

/// The server, and how it is called.
struct Server {
    uri: Uri,
    protocol: Protocol,
    version: Version,
}

impl Server {
    /// Why calls in the mode cannot be made.
    fn cannot(&self, mode: Mode) -> Option<&'static str> {
        (mode == Mode::Bidi && self.version == Version::H1)
            .then_some("bidi: over HTTP/1.1 no reply comes before the last request is sent")
    }

    async fn call(&self, plan: &Plan) -> Outcome {
        let lines = transport::lines(self.version, &self.uri, plan.connections);
        let mut outcome = load::run(plan, &self.callers(plan, &lines)).await;
        outcome.connections_opened = lines.iter().map(Line::opened).sum();
        outcome
    }

    /// One caller for each call in flight, evenly on the lines.
    fn callers(&self, plan: &Plan, lines: &[Line]) -> Vec<Caller> {
        let config = ClientConfig::new(self.uri.clone())
            .with_protocol(self.protocol.into())
            .with_default_max_message_size(MAX_MESSAGE_BYTES);
        lines
            .iter()
            .cycle()
            .take(plan.concurrency)
            .map(|line| GreetServiceClient::new(line.transport.clone(), config.clone()))
            .map(|client| Caller::new(client, plan))
            .collect()
    }
}
