// One call in each mode, with a check of everything that comes back.
import type { GreetClient } from "./connections.js";
import type { CallsRequest } from "./request.js";

// The answer was OK, and not what was asked for.
export class WrongReply extends Error {}

export interface Call {
  sent: number; // messages
  received: number;
  make(client: GreetClient): Promise<void>;
}

export function callOf({ mode, payload_bytes, messages, deadline_ns }: CallsRequest): Call {
  const name = "x".repeat(payload_bytes);
  const options = { timeoutMs: Math.ceil(deadline_ns / 1e6) };
  switch (mode) {
    case "unary":
      return {
        sent: 1,
        received: 1,
        async make(client) {
          const { greeting } = await client.greet({ name }, options);
          want(greeting, `Hello, ${name}!`);
        },
      };
    case "server_stream":
      return {
        sent: 1,
        received: messages,
        make: (client) =>
          wantAll(
            (signal) => client.greetStream({ name, count: messages }, { ...options, signal }),
            messages,
            (i) => `Hello #${i}, ${name}!`,
          ),
      };
    case "client_stream":
      return {
        sent: messages,
        received: 1,
        async make(client) {
          const { count } = await client.greetCount(repeat(name, messages), options);
          want(count, messages);
        },
      };
    case "bidi":
      return {
        sent: messages,
        received: messages,
        make(client) {
          const greeting = `Hi, ${name}!`;
          return wantAll(
            (signal) => client.greetChat(repeat(name, messages), { ...options, signal }),
            messages,
            () => greeting,
          );
        },
      };
  }
}

// The transport takes the next request whenever the stream has room, whatever has
// been received by then.
async function* repeat(name: string, messages: number) {
  for (let i = 0; i < messages; i++) {
    yield { name };
  }
}

async function wantAll(
  call: (signal: AbortSignal) => AsyncIterable<{ greeting: string }>,
  messages: number,
  greetingOf: (i: number) => string,
) {
  const abort = new AbortController();
  let i = 0;
  for await (const { greeting } of call(abort.signal)) {
    i++;
    try {
      want(greeting, greetingOf(i));
    } catch (error) {
      abort.abort(); // a stream that is only left keeps its connection
      throw error;
    }
  }
  want(i, messages);
}

function want<T>(got: T, wanted: T): void {
  if (got !== wanted) {
    throw new WrongReply(`got ${excerpt(got)}, want ${excerpt(wanted)}`);
  }
}

function excerpt(value: unknown): string {
  return JSON.stringify(value).slice(0, 80);
}
