// How fast a GreetRequest is written and read, without a connection, by the functions
// that grpc-js calls for it: those that @grpc/proto-loader makes of protobufjs.
import { GreetService } from './schema.js';

const warmupMilliseconds = 20;
const bytesPerClockReading = 64 << 10;

const { requestSerialize, requestDeserialize } = GreetService.service.Greet;

export function measureCodec({ codec, payload_bytes, window_ns }) {
  const message = { name: 'x'.repeat(payload_bytes) };
  const bytes = requestSerialize(message);
  const operation = codec === 'marshal'
    ? () => requestSerialize(message).length
    : () => requestDeserialize(bytes).name.length;
  const batch = Math.max(1, Math.floor(bytesPerClockReading / (bytes.length + 64)));
  repeat(operation, batch, warmupMilliseconds);
  const { calls, milliseconds } = repeat(operation, batch, window_ns / 1e6);
  return { calls, window_ns: Math.round(milliseconds * 1e6) };
}

// repeat goes on for at least so long, and reads the clock after each batch.
function repeat(operation, batch, atLeast) {
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
