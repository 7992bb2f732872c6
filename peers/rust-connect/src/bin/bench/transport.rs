//! What carries the calls: the library's HTTP/2 connection, or the pool of HTTP/1.1
//! connections that its `HttpClient` is made of, each on a dialer of ours.

use clap::ValueEnum;
use connectrpc::{
    ConnectError,
    client::{BoxFuture, ClientBody, ClientTransport, Http2Connection, SharedHttp2Connection},
};
use futures::TryFutureExt;
use hyper::{Request, Response, Uri, body::Incoming};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};

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

/// Makes transports of so many connections in all, which open once they are used; the
/// number is left to the library if it is 0.
pub fn open(version: Version, server: &Uri, connections: usize, dialer: &Dialer) -> Vec<Transport> {
    match version {
        Version::H1 => {
            let pool = Client::builder(TokioExecutor::new()).build(dialer.clone());
            vec![Transport::Http1(pool)]
        }
        Version::H2c => (0..connections.max(1))
            .map(|_| {
                let one = Http2Connection::lazy_with_connector(dialer.clone(), server.clone());
                Transport::Http2(one.shared(QUEUE))
            })
            .collect(),
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
