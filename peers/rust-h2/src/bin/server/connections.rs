//! Connections: taken until the server is to stop, and then told to come to an end.

use std::io;
use std::pin::pin;
use std::time::Duration;

use greet_peer::process::{Accepted, MAX_STREAMS};
use h2::server::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::answer::answer;

/// The windows of a stream and of a connection, the same as tonic's.
const WINDOW_BYTES: u32 = 1 << 20;

/// How long to wait after a connection could not be taken, as when there are too many.
const PAUSE: Duration = Duration::from_millis(10);

/// Serves until it is to stop, and the calls in flight have ended.
pub async fn serve(
    listener: TcpListener,
    accepted: Accepted,
    stop: CancellationToken,
) -> io::Result<()> {
    let connections = TaskTracker::new();
    while let Some(taken) = stop.run_until_cancelled(listener.accept()).await {
        match taken {
            Ok((socket, _)) => {
                accepted.add_one();
                connections.spawn(serve_logged(socket, stop.clone()));
            }
            Err(error) => {
                eprintln!("accept: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener); // nobody is to wait in its queue
    connections.close();
    connections.wait().await;
    Ok(())
}

async fn serve_logged(socket: TcpStream, stop: CancellationToken) {
    let _ = socket.set_nodelay(true); // fails when the client has gone already
    match serve_connection(socket, stop).await {
        Err(error) if !error.is_io() => eprintln!("connection: {error}"),
        _ => {} // clients come and go
    }
}

async fn serve_connection(socket: TcpStream, stop: CancellationToken) -> Result<(), h2::Error> {
    let mut connection = Builder::new()
        .initial_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES)
        .max_concurrent_streams(MAX_STREAMS)
        .handshake(socket)
        .await?;
    let mut stopped = pin!(stop.cancelled());
    let mut stopping = false;
    loop {
        tokio::select! {
            request = connection.accept() => match request {
                Some(request) => {
                    let (request, respond) = request?;
                    tokio::spawn(answer(request, respond));
                }
                None => return Ok(()),
            },
            () = &mut stopped, if !stopping => {
                stopping = true;
                connection.graceful_shutdown();
            }
        }
    }
}
