// Tries what connect-web does not offer: requests that are streams. What is shown is
// what this browser answered.
import { hex } from "./pieces";
import type { Say } from "./calls";

/** envelope is a message as Connect's streams have it, in JSON. */
function envelope(message: object): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(message));
  const bytes = new Uint8Array(5 + json.length);
  new DataView(bytes.buffer).setUint32(1, json.length);
  bytes.set(json, 5);
  return bytes;
}

const patience = 1000; // ms, for an answer to half a request

/** sendStream sends two names, with a pause between in which an answer could come. */
export async function sendStream(method: string, say: Say): Promise<void> {
  const started = performance.now();
  const after = () => `${Math.round(performance.now() - started)} ms`;
  const supported = streamsRequests();
  say(supported ? "This browser's fetch takes a stream as a request." : "This browser's fetch takes no stream as a request.");
  if (!supported) return;
  let answered = false;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(envelope({ name: "Ada" }));
      await new Promise((done) => setTimeout(done, patience));
      if (!answered) say(`${after()}: no answer to the first name yet. Sending the second, and the end.`);
      controller.enqueue(envelope({ name: "Bob" }));
      controller.close();
    },
  });
  try {
    const response = await fetch(`/greet.v1.GreetService/${method}`, {
      method: "POST", headers: { "content-type": "application/connect+json" }, body, duplex: "half",
    } as RequestInit);
    answered = true;
    say(`${after()}: status ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    say(`${after()}: ${new TextDecoder().decode(bytes).replace(/[^\x20-\x7e]+/g, " ").trim()} (${hex(bytes.subarray(0, 5))} …)`);
  } catch (error) {
    answered = true;
    say(`${after()}: ${error}`);
  }
}

/** streamsRequests reports whether fetch knows the option without which it takes no stream. */
function streamsRequests(): boolean {
  let asked = false;
  const init = { method: "POST", body: new ReadableStream(), get duplex() { asked = true; return "half"; } };
  const typed = new Request(location.href, init as RequestInit).headers.has("content-type"); // it took the stream for text
  return asked && !typed;
}
