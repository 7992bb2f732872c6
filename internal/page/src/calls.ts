// Calls Greet and GreetStream as any program with connect-web does.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { GreetService } from "./gen/greet/v1/greet_pb";
import { rawFields } from "./raw";
import { type Exchange, tapped } from "./tap";

const timeoutMs = 10_000;

/** Options choose how a call travels. */
export interface Options {
  protocol: string; // connect or grpcweb
  binary: boolean;
  begin(exchange: Exchange): void;
}

/** Say takes a line of what a call brought. */
export type Say = (line: string) => void;

function client({ protocol, binary, begin }: Options) {
  const create = protocol === "grpcweb" ? createGrpcWebTransport : createConnectTransport;
  return createClient(GreetService, create({ baseUrl: location.origin, useBinaryFormat: binary, fetch: tapped(begin) }));
}

export async function unary(options: Options, name: string, say: Say): Promise<void> {
  const response = await client(options).greet({ name }, { timeoutMs });
  say(response.greeting);
}

export async function serverStream(options: Options, name: string, count: number, say: Say): Promise<void> {
  for await (const response of client(options).greetStream({ name, count }, { timeoutMs })) say(response.greeting);
}

/** longStream asks for more than anybody wants, until signal gives it up. Then it asks the server what that looked like. */
export async function longStream(options: Options, signal: AbortSignal, say: Say, tick: Say): Promise<void> {
  const id = crypto.randomUUID();
  const request = { name: "a long name ".repeat(85), count: 100_000 };
  let came = 0;
  try {
    for await (const _ of client(options).greetStream(request, { signal, headers: { "greet-call-id": id } })) {
      came++;
      if (came % 100 === 1) {
        tick(`${came.toLocaleString("en")} greetings of 100,000 came`);
        await new Promise((done) => setTimeout(done, 50)); // a reader that is in no hurry
      }
    }
  } catch (error) {
    if (ConnectError.from(error).code !== Code.Canceled) throw error;
    say(`The browser gave up after ${came.toLocaleString("en")} greetings: canceled`);
  }
  say(`The server saw: ${await saw(options, id)}`);
}

/** saw asks the server how it saw the call of that id end. */
async function saw(options: Options, id: string): Promise<string> {
  let answer = "nothing: it does not answer the header greet-saw";
  await client({ ...options, begin: () => {} }).greet({}, {
    headers: { "greet-saw": id },
    timeoutMs,
    onHeader: (headers) => { answer = headers.get("greet-saw") ?? answer; },
  });
  return answer;
}

/** sayError tells what an error has: code, text and details. */
export function sayError(error: unknown, say: Say): void {
  const failed = ConnectError.from(error);
  say(`code: ${Code[failed.code]}`);
  say(`text: ${failed.rawMessage}`);
  for (const detail of failed.details) {
    if ("type" in detail) say(`detail: ${detail.type} ${rawFields(detail.value)}`);
  }
}
