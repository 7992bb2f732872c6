// Serves greet.v1 with connect-node, as a server that the benchmark starts: it
// prints where it listens, drains on SIGTERM, and ends with its standard input.
//
//   node dist/server.js ADDR connect|grpc|grpcweb h1|h2c
import { connectNodeAdapter } from "@connectrpc/connect-node";

import { answerControl } from "./control.js";
import { GreetService } from "./gen/greet/v1/greet_pb.js";
import { greeter } from "./greeter.js";
import { type Listener, listenerFor } from "./listener.js";

const maxMessageBytes = 4 << 20;
const drainMilliseconds = 2000;

const [address = "127.0.0.1:0", protocol = "connect", transport = "h1"] = process.argv.slice(2);

const handler = connectNodeAdapter({
  routes: (router) => router.service(GreetService, greeter),
  connect: protocol === "connect",
  grpc: protocol === "grpc",
  grpcWeb: protocol === "grpcweb",
  acceptCompression: [],
  readMaxBytes: maxMessageBytes,
  writeMaxBytes: maxMessageBytes,
});

function stopper(listener: Listener): () => void {
  return () => {
    setTimeout(() => process.exit(0), drainMilliseconds).unref();
    listener.drain().then(() => process.exit(0));
  };
}

const listener = listenerFor(transport, handler);
answerControl();
const { hostname, port } = new URL(`http://${address}`);
const bound = await listener.listen(hostname, Number(port));
console.log(`listening ${hostname}:${bound.port}`);

const stop = stopper(listener);
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
process.stdin.once("end", stop).resume(); // whoever started this process is gone
