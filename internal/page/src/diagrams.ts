// Shows what client --wire=html wrote. The page of its own comes into a shadow root, so
// that its style and this page's do not meet.
import { chosen, find } from "./dom";

/** block is the style of that page, which as an element this page's policy would refuse. */
const block = /<style>(.*?)<\/style>/s;

export async function showDiagrams(): Promise<void> {
  const host = find("diagrams-host");
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const text = await (await fetch(`/page/wire-${chosen("diagram")}.html`)).text();
  const style = new CSSStyleSheet();
  style.replaceSync((block.exec(text)?.[1] ?? "").replaceAll(/:root|\bbody\b/g, ":host"));
  root.adoptedStyleSheets = [style];
  const page = new DOMParser().parseFromString(text.replace(block, ""), "text/html");
  for (const inside of page.querySelectorAll("details")) inside.open = false; // four modes are long enough
  root.replaceChildren(...page.querySelectorAll("section"));
}
