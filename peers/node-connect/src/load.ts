// Keeps calls in flight and reports what came of them.
import { Code, ConnectError } from "@connectrpc/connect";

import { type Call, callOf, WrongReply } from "./calls.js";
import type { Connections, GreetClient } from "./connections.js";
import type { CallsRequest } from "./request.js";

// So many failures, and no more calls of a fixed number are started.
const patience = 100;

// Calls that failed, by code.
class Failures {
  readonly byCode: Record<string, number> = {};
  first: string | undefined;
  count = 0;

  add(error: unknown): void {
    const [code, text] = describe(error);
    this.byCode[code] = (this.byCode[code] ?? 0) + 1;
    this.first ??= `${code}: ${text}`;
    this.count++;
  }
}

function describe(error: unknown): [code: string, text: string] {
  if (error instanceof WrongReply) {
    return ["wrong_reply", error.message];
  }
  const { code, rawMessage } = ConnectError.from(error);
  return [Code[code].replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase(), rawMessage]; // such as DeadlineExceeded
}

interface Phase {
  begun: number; // on the clock of performance.now, milliseconds
  goesOn(): boolean; // asked before each call, which it counts
  counts(ended: number): boolean;
}

function fixed(calls: number, failures: Failures): Phase {
  let left = calls;
  return {
    begun: performance.now(),
    goesOn: () => left-- > 0 && failures.count < patience,
    counts: () => true,
  };
}

function timed(milliseconds: number): Phase {
  const begun = performance.now();
  const end = begun + milliseconds;
  return { begun, goesOn: () => performance.now() < end, counts: (ended) => ended <= end };
}

// A worker makes one call after another and returns the latencies of those that count.
async function work(client: GreetClient, call: Call, phase: Phase, failures: Failures): Promise<number[]> {
  const latencies: number[] = [];
  while (phase.goesOn()) {
    const begun = performance.now();
    try {
      await call.make(client);
    } catch (error) {
      failures.add(error);
      continue;
    }
    const ended = performance.now();
    if (phase.counts(ended)) {
      latencies.push(ended - begun);
    }
  }
  return latencies;
}

export async function measureCalls(connections: Connections, request: CallsRequest): Promise<object> {
  const { clients } = connections;
  const call = callOf(request);
  const failures = new Failures();
  const run = async (phase: Phase) => {
    const workers = Array.from({ length: request.concurrency }, (_, i) =>
      work(clients[i % clients.length]!, call, phase, failures),
    );
    return (await Promise.all(workers)).flat();
  };
  await run(fixed(request.warmup_calls, failures));
  const phase = request.calls > 0 ? fixed(request.calls, failures) : timed(request.window_ns / 1e6);
  const latencies = await run(phase);
  const window = request.calls > 0 ? nanoseconds(performance.now() - phase.begun) : request.window_ns;
  return {
    calls: latencies.length,
    messages_sent: latencies.length * call.sent,
    messages_received: latencies.length * call.received,
    window_ns: window,
    connections_opened: connections.opened(),
    errors: failures.byCode,
    first_error: failures.first,
    latencies_ns: latencies.map(nanoseconds),
  };
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}
