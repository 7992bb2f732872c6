// Opens the server's page in Chromium, uses it, and checks what it shows:
// node page.mjs PLAIN-ADDRESS TLS-ADDRESS CERTIFICATE. Once over HTTP/1.1, once over
// HTTP/2 and once over HTTP/3. Prints what is wrong, a line each, and exits 1 if anything is.
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { check, contrasts, open, problems, same } from "./browser.mjs";

const [plain, secure, certificate] = process.argv.slice(2);
const port = secure.split(":").at(-1);
const key = new X509Certificate(await readFile(certificate)).publicKey.export({ type: "spki", format: "der" });
const trust = `--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`;

await visit("HTTP/1.1", `http://${plain}/`, ["--disable-quic"]);
await visit("HTTP/2", `https://localhost:${port}/`, ["--disable-quic", trust]);
await visit("HTTP/3", `https://localhost:${port}/`, ["--enable-quic", `--origin-to-force-quic-on=localhost:${port}`, "--host-resolver-rules=MAP localhost 127.0.0.1", trust]);
problems.forEach((text) => console.log(text));
process.exitCode = problems.length ? 1 : 0;

async function visit(transport, url, args) {
  const before = problems.length;
  const browser = await open(args);
  try {
    const tab = await browser.newPage();
    await use(tab, transport, url);
  } catch (error) {
    problems.push(String(error));
  } finally {
    await browser.close();
  }
  problems.splice(before, Infinity, ...problems.slice(before).map((text) => `${transport}: ${text}`));
}

async function use(tab, transport, url) {
  tab.setDefaultTimeout(20_000);
  const refused = transport === "HTTP/1.1" ? 2 : 0; // streams as requests, which Chromium says on the console
  const said = [];
  tab.on("console", (message) => said.push(`console: ${message.type()}: ${message.text()}`));
  tab.on("pageerror", (error) => problems.push(`script: ${error}`));
  tab.on("request", (request) => check(/^data:/.test(request.url()) || request.url().startsWith(url), `request to ${request.url()}`));
  const policy = (await (await tab.goto(url)).allHeaders())["content-security-policy"];
  check(policy?.startsWith("default-src 'none'"), `policy ${policy}`);
  await tab.waitForSelector("html[data-ready]");
  same(await tab.textContent("#transport"), transport, "the page came over");
  await calls(tab);
  await cancelled(tab);
  await impossible(tab, transport);
  await diagrams(tab);
  if (transport !== "HTTP/3") await looks(tab);
  same(said.filter((text) => !text.includes("ERR_ALPN_NEGOTIATION_FAILED")), [], "console");
  same(said.length, refused, "lines on the console");
}

// press waits until the call of a button has ended, and returns the lines that it brought.
async function press(tab, button) {
  await tab.click(button);
  await tab.waitForSelector("#greet:enabled");
  return tab.locator("#brought li").allTextContents();
}

// pieces are the parts of a body as the page shows them: kind, hex and text.
function pieces(tab, side) {
  return tab.locator(`.half:nth-child(${side}) .pieces li`)
    .evaluateAll((all) => all.map((li) => [...li.children].map((part) => part.textContent)));
}

// calls tries each protocol and codec. The protocol is chosen by keyboard.
async function calls(tab) {
  const envelope = ["envelope", "00 00 00 00 05", "flags 00, length 5"];
  const ada = ["message", "0a 03 41 64 61", '{"name":"Ada"}'];
  await tab.focus("input[name=protocol]:checked");
  for (const protocol of ["connect", "grpcweb"]) {
    if (protocol === "grpcweb") await tab.keyboard.press("ArrowRight");
    same(await press(tab, "#greet"), ["Hello, Ada!"], `${protocol}: Greet`);
    same(await pieces(tab, 1), protocol === "connect" ? [ada] : [envelope, ada], `${protocol}: request`);
    same(await press(tab, "#stream"), [1, 2, 3].map((i) => `Hello #${i}, Ada!`), `${protocol}: GreetStream`);
    const answer = await pieces(tab, 2);
    same(answer.map(([kind]) => kind).filter((kind) => kind !== "envelope"), ["message", "message", "message", "end of stream"], `${protocol}: pieces`);
    same(answer.at(-2)[1].slice(0, 2), protocol === "connect" ? "02" : "80", `${protocol}: flags of the end`);
    same(answer.at(-1)[2], protocol === "connect" ? "{}" : "grpc-status: 0", `${protocol}: status`);
    const failed = await press(tab, "#error");
    same(failed.slice(0, 2), ["code: InvalidArgument", "text: count must be between 0 and 100000, got -1"], `${protocol}: error`);
    same(failed[2], 'detail: google.rpc.BadRequest {1: {1: "count", 2: "count must be between 0 and 100000, got -1"}}', `${protocol}: detail`);
    await tab.check("input[value=json]");
    same(await press(tab, "#greet"), ["Hello, Ada!"], `${protocol}: Greet in JSON`);
    same((await pieces(tab, 1)).at(-1)[2], '{"name":"Ada"}', `${protocol}: request in JSON`);
    await tab.check("input[value=protobuf]");
    await tab.focus("input[name=protocol]:checked");
  }
}

// cancelled starts a stream and gives it up, by keyboard.
async function cancelled(tab) {
  await tab.focus("#long");
  await tab.keyboard.press("Enter");
  await tab.waitForFunction(() => /^\d[\d,]{2}/.test(document.querySelector("#progress").textContent));
  await tab.keyboard.press("Enter");
  await tab.waitForSelector("#greet:enabled");
  const [browser, server] = await tab.locator("#brought li").allTextContents();
  check(/^The browser gave up after [\d,]+ greetings: canceled$/.test(browser), `cancel: ${browser}`);
  check(/^The server saw: canceled after receiving 1 and sending [1-9]\d+ messages$/.test(server), `cancel: ${server}`);
}

// impossible tries the methods that connect-web does not offer.
async function impossible(tab, transport) {
  for (const [method, want] of [["GreetCount", '{"count":2} {}'], ["GreetChat", '{"greeting":"Hi, Ada!"} {"greeting":"Hi, Bob!"} {}']]) {
    await tab.click(`#try-${method}`);
    await tab.waitForSelector(`#try-${method}:enabled`);
    const answer = (await tab.locator(`#answer-${method} li`).allTextContents()).join("\n");
    if (transport === "HTTP/1.1") check(answer.includes("TypeError: Failed to fetch"), `${method}: ${answer}`);
    else check(answer.includes("no answer to the first name yet") && answer.includes(want), `${method}: ${answer}`);
  }
}

async function diagrams(tab) {
  for (const [protocol, frame] of [["connect", "end of stream {}"], ["grpc", "grpc-status: 0"], ["grpcweb", "trailer grpc-status: 0"]]) {
    await tab.check(`input[name=diagram][value=${protocol}]`);
    await tab.waitForFunction((text) => document.querySelector("#diagrams-host").shadowRoot.textContent.includes(text), frame);
    const titles = (await tab.locator("#diagrams-host h2").allTextContents()).filter((title) => / Greet|: Greet/.test(title));
    same(titles.map((title) => title.split(": ")[1]), ["Greet", "GreetStream", "GreetCount", "GreetChat"], `${protocol}: diagrams`);
    check(await tab.locator("#diagrams-host .arrow").first().isVisible(), `${protocol}: no arrows`);
  }
}

// looks measures contrast and overflow, light and dark, wide and narrow.
async function looks(tab) {
  await press(tab, "#error"); // the longest lines
  const parts = ["body", "a", ".headers", ".size", ".kind", ".envelope .hex", "legend", "button"];
  for (const colorScheme of ["light", "dark"]) {
    await tab.emulateMedia({ colorScheme });
    for (const [what, ratio] of Object.entries(await tab.evaluate(contrasts, parts))) {
      check(ratio >= 4.5, `${colorScheme}: contrast of ${what} is ${ratio.toFixed(2)}, want 4.5`); // WCAG 2.2, 1.4.3
    }
  }
  for (const width of [1280, 390, 360]) {
    await tab.setViewportSize({ width, height: 800 });
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `at ${width} pixels the page is ${wide} wide`);
  }
}
