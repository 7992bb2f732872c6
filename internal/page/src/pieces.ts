// Splits a body into what the protocols put there: envelopes of five bytes, messages,
// and how a stream ended.
import { type DescMessage, fromBinary, toJsonString } from "@bufbuild/protobuf";
import { GreetService } from "./gen/greet/v1/greet_pb";
import type { Exchange, Half } from "./tap";

/** Piece is some bytes that belong together, and what they say. */
export interface Piece {
  kind: "envelope" | "message" | "end";
  bytes: Uint8Array;
  text: string;
}

/** piecesOf are those of one side of a call, as far as its bytes were kept. */
export function piecesOf(exchange: Exchange, side: "request" | "response"): Piece[] {
  const half = exchange[side];
  const type = half.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const method = GreetService.methods.find((m) => exchange.path.endsWith(`/${m.name}`));
  const schema = side === "request" ? method?.input : method?.output;
  const json = type.endsWith("json");
  if (!/connect\+|grpc/.test(type)) return bare(half, json, schema);
  const pieces: Piece[] = [];
  for (let at = 0; at + 5 <= half.bytes.length;) {
    const head = half.bytes.subarray(at, at + 5);
    const length = new DataView(head.slice().buffer).getUint32(1);
    const body = half.bytes.subarray(at + 5, at + 5 + length);
    pieces.push({ kind: "envelope", bytes: head, text: `flags ${hex(head.subarray(0, 1))}, length ${length}` });
    if (body.length === length) pieces.push(enveloped(head[0] ?? 0, body, json, schema));
    at += 5 + length;
  }
  return pieces;
}

/** bare is the body of a unary call of Connect: one message, or an error as JSON. */
function bare(half: Half, json: boolean, schema?: DescMessage): Piece[] {
  return half.size === 0 ? [] : [{ kind: "message", bytes: half.bytes, text: message(half.bytes, json, schema) }];
}

const compressed = 0x01;
const endOfConnect = 0x02;
const trailersOfGrpcWeb = 0x80;

function enveloped(flags: number, body: Uint8Array, json: boolean, schema?: DescMessage): Piece {
  if (flags & (endOfConnect | trailersOfGrpcWeb)) return { kind: "end", bytes: body, text: decode(body).trim() };
  const text = flags & compressed ? "compressed" : message(body, json, schema);
  return { kind: "message", bytes: body, text };
}

function message(bytes: Uint8Array, json: boolean, schema?: DescMessage): string {
  return json || !schema ? decode(bytes) : toJsonString(schema, fromBinary(schema, bytes));
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** hex is bytes as people write them: 00 0a ff. */
export const hex = (bytes: Uint8Array) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join(" ");
