// What the scripts beside it share: a browser, and a list of what is wrong. CHROMIUM names
// the browser, /usr/bin/chromium unless it is set.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const problems = [];
export const check = (holds, text) => holds || problems.push(text);
export const same = (got, want, text) =>
  check(JSON.stringify(got) === JSON.stringify(want), `${text}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);

// open starts a browser with a profile of its own, which goes when it is closed.
export async function open(args, options = {}) {
  const profile = await mkdtemp(join(tmpdir(), "greet-chromium-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport: { width: 1280, height: 900 },
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", ...args,
    ],
    ...options,
  });
  return {
    newPage: () => browser.newPage(),
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

// contrasts runs in the page: the ratio of each kind of text and line to its
// background, as WCAG defines it. A part that is there must be readable.
export function contrasts(parts) {
  const rgb = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = (colour) => {
    const [r, g, b] = rgb(colour).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const clear = "rgba(0, 0, 0, 0)";
  const below = (element) => { // the colour that is seen behind it
    const colour = element && getComputedStyle(element).backgroundColor;
    return !element ? getComputedStyle(document.body).backgroundColor : colour === clear ? below(element.parentElement) : colour;
  };
  const ratio = (colour, element) => {
    const [a, b] = [light(colour), light(below(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const found = {};
  const note = (what, colour, element) => { found[what] = Math.min(found[what] ?? Infinity, ratio(colour, element)); };
  for (const selector of parts) {
    const element = document.querySelector(selector);
    if (element) note(selector, getComputedStyle(element).color, element);
  }
  for (const text of document.querySelectorAll("svg text")) note("text in figures", getComputedStyle(text).fill);
  for (const line of document.querySelectorAll("svg .line")) note(`line ${line.parentNode.getAttribute("class")}`, getComputedStyle(line).stroke);
  return found;
}
