// Joins the page's buttons to calls.
import { ConnectError } from "@connectrpc/connect";
import { longStream, type Options, type Say, sayError, serverStream, unary } from "./calls";
import { showDiagrams } from "./diagrams";
import { chosen, find, make } from "./dom";
import { sendStream } from "./impossible";
import { exchangeView } from "./show";
import type { Exchange } from "./tap";

/** lines returns a Say that adds to the list with that id, which it empties first. */
function lines(id: string): Say {
  const list = find(id);
  list.replaceChildren();
  return (line) => list.append(make("li", "", line));
}

/** call makes one call, and shows what it brought and its bytes. */
async function call(act: (options: Options, say: Say) => Promise<void>): Promise<void> {
  const say = lines("brought");
  let last: Exchange | undefined;
  const options = {
    protocol: chosen("protocol"),
    binary: chosen("codec") === "protobuf",
    begin: (exchange: Exchange) => { last = exchange; },
  };
  busy(true);
  try {
    await act(options, say);
  } catch (error) {
    sayError(error, say);
  }
  busy(false);
  find("bytes").replaceChildren(...(last ? [exchangeView(last)] : []));
}

const name = () => find<HTMLInputElement>("name").value;

function busy(on: boolean): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("#call button:not(#cancel)")) button.disabled = on;
}

find("greet").addEventListener("click", () => call((o, say) => unary(o, name(), say)));
find("stream").addEventListener("click", () => call((o, say) => serverStream(o, name(), 3, say)));
find("error").addEventListener("click", () => call((o, say) => serverStream(o, name(), -1, say)));

find("long").addEventListener("click", async () => {
  const cancel = find<HTMLButtonElement>("cancel");
  const giveUp = new AbortController();
  const stop = () => giveUp.abort();
  cancel.addEventListener("click", stop);
  cancel.disabled = false;
  cancel.focus();
  const progress = find("progress");
  await call((o, say) => longStream(o, giveUp.signal, say, (line) => { progress.textContent = line; }));
  progress.textContent = "";
  cancel.removeEventListener("click", stop);
  cancel.disabled = true;
  find("long").focus();
});

for (const method of ["GreetCount", "GreetChat"]) {
  const button = find<HTMLButtonElement>(`try-${method}`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await sendStream(method, lines(`answer-${method}`));
    button.disabled = false;
  });
}

for (const radio of document.querySelectorAll("input[name=diagram]")) radio.addEventListener("change", showDiagrams);

/** arrival is the version of HTTP that has brought this page. */
function arrival(): string {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const names: Record<string, string> = { "http/1.1": "HTTP/1.1", h2: "HTTP/2", h3: "HTTP/3" };
  return names[navigation?.nextHopProtocol ?? ""] ?? "HTTP";
}

find("transport").textContent = arrival();
showDiagrams().catch((error) => find("diagrams-host").replaceChildren(ConnectError.from(error).message));
document.documentElement.dataset["ready"] = "";
