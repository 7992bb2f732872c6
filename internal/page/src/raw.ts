// Reads protobuf without its schema, as protoc --decode_raw does: the details of an
// error may be of any type, and this page knows those of greet.v1 only.
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** rawFields is a message with numbers in place of the names of its fields. */
export function rawFields(bytes: Uint8Array): string {
  const reader = new BinaryReader(bytes);
  const fields: string[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === WireType.LengthDelimited) fields.push(`${number}: ${content(reader.bytes())}`);
    else if (type === WireType.Varint) fields.push(`${number}: ${reader.uint64()}`);
    else reader.skip(type, number);
  }
  return `{${fields.join(", ")}}`;
}

/** content guesses: bytes that begin like a field are a message, others text. */
function content(bytes: Uint8Array): string {
  if (bytes[0] === 0x0a) {
    try {
      return rawFields(bytes);
    } catch {
      // not a message after all
    }
  }
  return JSON.stringify(new TextDecoder().decode(bytes));
}
