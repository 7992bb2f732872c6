// What the benchmark may ask for. All durations are nanoseconds.
export const modes = ["unary", "server_stream", "client_stream", "bidi"] as const;

export interface CallsRequest {
  mode: (typeof modes)[number];
  concurrency: number;
  connections: number; // 0 leaves it to the library
  payload_bytes: number;
  messages: number;
  calls: number; // 0: as many as the window holds
  warmup_calls: number;
  window_ns: number;
  deadline_ns: number;
}

export interface CodecRequest {
  codec: "marshal" | "unmarshal";
  payload_bytes: number;
  window_ns: number;
}

const numbersOfCalls = ["concurrency", "connections", "payload_bytes", "messages", "calls", "warmup_calls", "window_ns", "deadline_ns"];
const numbersOfCodec = ["payload_bytes", "window_ns"];

export function parseRequest(line: string): CallsRequest | CodecRequest {
  const request = JSON.parse(line);
  if (request === null || typeof request !== "object") {
    throw new Error("want an object");
  }
  if ("codec" in request) {
    wantOneOf(request, "codec", ["marshal", "unmarshal"]);
    wantNumbers(request, numbersOfCodec);
    return request;
  }
  wantOneOf(request, "mode", modes);
  wantNumbers(request, numbersOfCalls);
  if (request.concurrency < 1) {
    throw new Error("concurrency: want at least 1");
  }
  return request;
}

function wantOneOf(request: Record<string, unknown>, field: string, values: readonly string[]): void {
  if (!values.some((value) => value === request[field])) {
    throw new Error(`${field}: want ${values.join(" or ")}, got ${request[field]}`);
  }
}

function wantNumbers(request: Record<string, unknown>, fields: readonly string[]): void {
  for (const field of fields) {
    const value = request[field];
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      throw new Error(`${field}: want a whole number from 0, got ${value}`);
    }
  }
}
