//! What carries the calls: the library's HTTP/2 connection, or the pool of HTTP/1.1
//! connections that its `HttpClient` wraps, each on a dialer of ours.

use clap::ValueEnum;
use connectrpc::{
    ConnectError,
    client::{BoxFuture, ClientBody, ClientTransport, Http2Connection, SharedHttp2Connection},
};
use futures::TryFutureExt;
use hyper::{Request, Response, Uri, body::Incoming};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use rust_connect::{CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES};

use crate::dial::Dialer;

/// How many requests may queue for a connection, as the library's documentation has it.
const QUEUE: usize = 1024;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Version {
    H1,
    H2c,
}

#[derive(Clone)]
pub enum Transport {
    Http1(Client<Dialer, ClientBody>),
    Http2(SharedHttp2Connection),
}

/// A transport of one connection, or of as many as the library takes.
pub struct Line {
    pub transport: Transport,
    dialer: Dialer,
}

/// Makes a line for each connection, which opens once it is used. If their number is 0,
/// there is one line, and the number is left to the library.
pub fn lines(version: Version, server: &Uri, connections: usize) -> Vec<Line> {
    match connections {
        0 => vec![Line::new(version, server, Dialer::unlimited())],
        _ => (0..connections)
            .map(|_| Line::new(version, server, Dialer::one_at_a_time()))
            .collect(),
    }
}

impl Line {
    fn new(version: Version, server: &Uri, dialer: Dialer) -> Self {
        let transport = match version {
            Version::H1 => {
                Transport::Http1(Client::builder(TokioExecutor::new()).build(dialer.clone()))
            }
            Version::H2c => Transport::Http2(
                Http2Connection::builder()
                    .initial_stream_window_size(STREAM_WINDOW_BYTES)
                    .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
                    .lazy_with_connector(dialer.clone(), server.clone())
                    .shared(QUEUE),
            ),
        };
        Self { transport, dialer }
    }

    /// How many connections it has opened.
    pub fn opened(&self) -> u64 {
        self.dialer.opened()
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.dialer.close(); // the pool may have left a dial waiting
    }
}

impl ClientTransport for Transport {
    type ResponseBody = Incoming;
    type Error = ConnectError;

    fn send(
        &self,
        request: Request<ClientBody>,
    ) -> BoxFuture<'static, Result<Response<Incoming>, ConnectError>> {
        match self {
            Self::Http1(pool) => Box::pin(pool.request(request).map_err(|error| {
                ConnectError::unavailable_from_transport("HTTP/1.1 request failed", error)
            })),
            Self::Http2(connection) => connection.send(request),
        }
    }
}
