// The connections of one request to the benchmark client, new each time.
import diagnostics from "node:diagnostics_channel";
import http from "node:http";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";

import { GreetService } from "./gen/greet/v1/greet_pb.js";

const maxMessageBytes = 4 << 20;
const maxSessionMemory = 1024; // MB: Node's 10 do not hold a message of 4 MiB each way of each stream

export type GreetClient = Client<typeof GreetService>;

export interface Target {
  address: string;
  protocol: string;
  transport: string;
  count: number; // of connections; 0 leaves it to the library
}

export interface Connections {
  clients: GreetClient[]; // for workers to take turns with
  opened(): number;
  close(): void;
}

type Over = { httpVersion: "1.1"; nodeOptions: { agent: http.Agent } } | { httpVersion: "2"; sessionManager: Http2SessionManager };

let dialed = 0;
diagnostics.subscribe("net.client.socket", () => dialed++);

export async function connect(target: Target): Promise<Connections> {
  const before = dialed;
  const { clients, close } = target.transport === "h1" ? pool(target) : await sessions(target);
  return { clients, close, opened: () => dialed - before };
}

// Over HTTP/1.1 a connection opens with the first call that needs it.
function pool(target: Target) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: target.count || Infinity });
  const clients = [clientOver(target, { httpVersion: "1.1", nodeOptions: { agent } })];
  return { clients, close: () => agent.destroy() };
}

async function sessions(target: Target) {
  const url = `http://${target.address}`;
  const managers = Array.from({ length: target.count || 1 }, () => new Http2SessionManager(url, {}, { maxSessionMemory }));
  await Promise.all(managers.map((manager) => manager.connect())); // an error comes again with each call
  return {
    clients: managers.map((sessionManager) => clientOver(target, { httpVersion: "2", sessionManager })),
    close: () => managers.forEach((manager) => manager.abort()),
  };
}

function clientOver(target: Target, over: Over): GreetClient {
  return createClient(GreetService, transportOver(target, over));
}

function transportOver({ address, protocol }: Target, over: Over): Transport {
  const options = {
    ...over,
    baseUrl: `http://${address}`,
    acceptCompression: [],
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
  };
  switch (protocol) {
    case "connect":
      return createConnectTransport(options);
    case "grpcweb":
      return createGrpcWebTransport(options);
    case "grpc":
      if (options.httpVersion === "2") {
        return createGrpcTransport(options);
      }
      throw new Error("the gRPC client of connect-node needs HTTP/2: use h2c");
    default:
      throw new Error(`protocol ${protocol}: want connect, grpc or grpcweb`);
  }
}
