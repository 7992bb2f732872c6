//! Connections that are counted, and of which there may be no more than one.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use hyper::{
    Uri,
    rt::{Read, ReadBufCursor, Write},
};
use hyper_util::{
    client::legacy::connect::{Connected, Connection},
    rt::TokioIo,
};
use tokio::{
    net::TcpStream,
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tower_service::Service;

/// Dials and counts. Clones share the count.
#[derive(Clone)]
pub struct Dialer {
    opened: Arc<AtomicU64>,
    free: Arc<Semaphore>,
}

impl Dialer {
    /// Whoever dials while a connection is open waits until it is closed.
    pub fn one_at_a_time() -> Self {
        Self::limited(1)
    }

    pub fn unlimited() -> Self {
        Self::limited(Semaphore::MAX_PERMITS)
    }

    fn limited(connections: usize) -> Self {
        Self {
            opened: Arc::default(),
            free: Arc::new(Semaphore::new(connections)),
        }
    }

    /// How many connections it has opened.
    pub fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// Lets nobody dial any more, those who wait included.
    pub fn close(&self) {
        self.free.close();
    }

    async fn dial(self, server: Uri) -> io::Result<Counted> {
        let permit = self.free.acquire_owned().await.map_err(io::Error::other)?;
        let authority = server.authority().ok_or(io::ErrorKind::InvalidInput)?;
        let tcp = TcpStream::connect(authority.as_str()).await?;
        tcp.set_nodelay(true)?;
        self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Counted {
            io: TokioIo::new(tcp),
            _permit: permit,
        })
    }
}

impl Service<Uri> for Dialer {
    type Response = Counted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Counted>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        Box::pin(self.clone().dial(server))
    }
}

/// A connection that makes room for another when it is dropped.
pub struct Counted {
    io: TokioIo<TcpStream>,
    _permit: OwnedSemaphorePermit,
}

impl Connection for Counted {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl Read for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl Write for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, bufs)
    }
}
