// Keeps calls in flight and reports what came of them.
import grpc from '@grpc/grpc-js';

import { modes, WrongReply } from './calls.js';

// So many failures, and no more calls of a fixed number are started.
const patience = 100;

// Calls that failed, by code.
class Failures {
  byCode = {};
  first = undefined;
  count = 0;

  add(error) {
    const [code, text] = describe(error);
    this.byCode[code] = (this.byCode[code] ?? 0) + 1;
    this.first ??= `${code}: ${text}`;
    this.count++;
  }
}

function describe(error) {
  if (error instanceof WrongReply) {
    return ['wrong_reply', error.message];
  }
  const name = grpc.status[error.code] ?? 'UNKNOWN';
  return [name === 'CANCELLED' ? 'canceled' : name.toLowerCase(), error.details ?? error.message];
}

// A phase says when it has begun, asked before each call whether there is another, and
// after each whether it counts. Times are those of performance.now, in milliseconds.
function fixed(calls, failures) {
  let left = calls;
  return {
    begun: performance.now(),
    goesOn: () => left-- > 0 && failures.count < patience,
    counts: () => true,
  };
}

function timed(milliseconds) {
  const begun = performance.now();
  const end = begun + milliseconds;
  return { begun, goesOn: () => performance.now() < end, counts: (ended) => ended <= end };
}

// A worker makes one call after another and returns the latencies of those that count.
async function work(call, phase, failures) {
  const latencies = [];
  while (phase.goesOn()) {
    const begun = performance.now();
    try {
      await call();
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

export async function measureCalls({ clients, opened }, request) {
  const { make, sent, received } = modes[request.mode];
  const { concurrency, messages, calls, deadline_ns } = request;
  const parameters = {
    name: 'x'.repeat(request.payload_bytes),
    messages,
    options: () => ({ deadline: Date.now() + deadline_ns / 1e6 }),
  };
  const failures = new Failures();
  const run = async (phase) => {
    const workers = Array.from({ length: concurrency }, (_, i) =>
      work(() => make(clients[i % clients.length], parameters), phase, failures));
    return (await Promise.all(workers)).flat();
  };
  await run(fixed(request.warmup_calls, failures));
  const phase = calls > 0 ? fixed(calls, failures) : timed(request.window_ns / 1e6);
  const latencies = await run(phase);
  const window = calls > 0 ? nanoseconds(performance.now() - phase.begun) : request.window_ns;
  return {
    calls: latencies.length,
    messages_sent: latencies.length * sent(messages),
    messages_received: latencies.length * received(messages),
    window_ns: window,
    connections_opened: opened(),
    errors: failures.byCode,
    first_error: failures.first,
    latencies_ns: latencies.map(nanoseconds),
  };
}

function nanoseconds(milliseconds) {
  return Math.round(milliseconds * 1e6);
}
