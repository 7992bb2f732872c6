// A plain HTTP server of one version, which can be told to drain.
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import type { connectNodeAdapter } from "@connectrpc/connect-node";

type Handler = ReturnType<typeof connectNodeAdapter>;

const maxConcurrentStreams = 100;
const maxSessionMemory = 1024; // MB: Node's 10 do not hold a message of 4 MiB each way of each stream

export interface Listener {
  listen(host: string, port: number): Promise<AddressInfo>;
  // drain takes no more connections or calls, and is done once those there are have ended.
  drain(): Promise<void>;
}

export function listenerFor(transport: string, handler: Handler): Listener {
  switch (transport) {
    case "h1":
      return over1(http.createServer(handler));
    case "h2c":
      return over2(http2.createServer({ maxSessionMemory, settings: { maxConcurrentStreams } }, thenReset(handler)));
    default:
      throw new Error(`transport ${transport}: want h1 or h2c`);
  }
}

// An answer may end before its request, if it is an error. The client is then told to
// stop sending (RFC 9113, section 8.1), which neither Node nor connect-node does.
function thenReset(handler: Handler) {
  return (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse): void => {
    const { stream } = request;
    stream.once("wantTrailers", () => {
      if (!stream.readableEnded) {
        setImmediate(() => stream.close(http2.constants.NGHTTP2_NO_ERROR)); // once the trailers are out
      }
    });
    handler(request, response);
  };
}

function over1(server: http.Server): Listener {
  return { listen: (host, port) => listen(server, host, port), drain: () => close(server) };
}

function over2(server: http2.Http2Server): Listener {
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return {
    listen: (host, port) => listen(server, host, port),
    drain() {
      const closed = close(server);
      for (const session of sessions) {
        session.close(); // which the server does not do for them
      }
      return closed;
    },
  };
}

type Server = http.Server | http2.Http2Server;

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
