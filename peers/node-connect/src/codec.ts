// How fast protobuf-es writes and reads a GreetRequest, without a connection.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

import { GreetRequestSchema } from "./gen/greet/v1/greet_pb.js";
import type { CodecRequest } from "./request.js";

const warmupMilliseconds = 20;
const bytesPerClockReading = 64 << 10;

export function measureCodec({ codec, payload_bytes, window_ns }: CodecRequest): object {
  const message = create(GreetRequestSchema, { name: "x".repeat(payload_bytes) });
  const bytes = toBinary(GreetRequestSchema, message);
  const operation =
    codec === "marshal"
      ? () => toBinary(GreetRequestSchema, message).length
      : () => fromBinary(GreetRequestSchema, bytes).name.length;
  const batch = Math.max(1, Math.floor(bytesPerClockReading / (bytes.length + 64)));
  repeat(operation, batch, warmupMilliseconds);
  const { calls, milliseconds } = repeat(operation, batch, window_ns / 1e6);
  return { calls, window_ns: Math.round(milliseconds * 1e6) };
}

// repeat goes on for at least so long, and reads the clock after each batch.
function repeat(operation: () => number, batch: number, atLeast: number) {
  const begun = performance.now();
  let calls = 0;
  let milliseconds = 0;
  do {
    for (let i = 0; i < batch; i++) {
      operation();
    }
    calls += batch;
    milliseconds = performance.now() - begun;
  } while (milliseconds < atLeast);
  return { calls, milliseconds };
}
