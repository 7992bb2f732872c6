// The benchmark client: reads one request as a line of JSON from standard input, does
// what it says, answers with one line on standard output, and reads the next.
//
//   node dist/bench.js ADDR connect|grpc|grpcweb h1|h2c
import readline from "node:readline";

import { measureCodec } from "./codec.js";
import { connect } from "./connections.js";
import { measureCalls } from "./load.js";
import { parseRequest } from "./request.js";

const [address = "127.0.0.1:8080", protocol = "connect", transport = "h1"] = process.argv.slice(2);

async function answer(line: string): Promise<object> {
  const request = parseRequest(line);
  if ("codec" in request) {
    return measureCodec(request);
  }
  if (request.mode === "bidi" && transport === "h1") {
    throw new Error("connect-node carries no bidi call over HTTP/1.1: use h2c");
  }
  const connections = await connect({ address, protocol, transport, count: request.connections });
  try {
    return await measureCalls(connections, request);
  } finally {
    connections.close();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const reply = await answer(line).catch((error: Error) => ({ error: error.message }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
process.exit(); // the deadlines of calls that were left in the middle still tick
