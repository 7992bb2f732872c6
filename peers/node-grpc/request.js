// What the benchmark may ask for. All durations are nanoseconds.
import { modes } from './calls.js';

const numbersOfCalls = ['concurrency', 'connections', 'payload_bytes', 'messages', 'calls', 'warmup_calls', 'window_ns', 'deadline_ns'];
const numbersOfCodec = ['payload_bytes', 'window_ns'];

export function parseRequest(line) {
  const request = JSON.parse(line);
  if (request === null || typeof request !== 'object') {
    throw new Error('want an object');
  }
  if ('codec' in request) {
    wantOneOf(request, 'codec', ['marshal', 'unmarshal']);
    wantNumbers(request, numbersOfCodec);
    return request;
  }
  wantOneOf(request, 'mode', Object.keys(modes));
  wantNumbers(request, numbersOfCalls);
  if (request.concurrency < 1) {
    throw new Error('concurrency: want at least 1');
  }
  return request;
}

function wantOneOf(request, field, values) {
  if (!values.includes(request[field])) {
    throw new Error(`${field}: want ${values.join(' or ')}, got ${request[field]}`);
  }
}

function wantNumbers(request, fields) {
  for (const field of fields) {
    if (!Number.isSafeInteger(request[field]) || request[field] < 0) {
      throw new Error(`${field}: want a whole number from 0, got ${request[field]}`);
    }
  }
}
