// Opens reports in Chromium and checks that they work: node report.mjs FILE...
// Prints what is wrong, a line each, and exits 1 if anything is.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { check, contrasts, open, problems, same } from "./browser.mjs";

let page = "";
const browser = await open(["--disable-quic"]);
try {
  const tab = await browser.newPage();
  tab.on("console", (message) => problems.push(`console: ${message.type()}: ${message.text()}`));
  tab.on("pageerror", (error) => problems.push(`script: ${error}`));
  tab.on("request", (request) => {
    const url = request.url();
    check(url === page || url.startsWith("data:"), `request to ${url}`);
  });
  for (const file of process.argv.slice(2)) {
    page = pathToFileURL(resolve(file)).href;
    const before = problems.length;
    await tab.emulateMedia({ media: "screen" });
    await tab.setViewportSize({ width: 1280, height: 900 });
    await tab.goto(page);
    await sorting(tab);
    await structure(tab);
    await looks(tab);
    problems.splice(before, Infinity, ...problems.slice(before).map((text) => `${file}: ${text}`));
  }
} finally {
  await browser.close();
}
problems.forEach((text) => console.log(text));
process.exitCode = problems.length ? 1 : 0;

// sorting presses the head of a column of figures, by mouse and by keyboard: the first
// column of the first table with figures in several rows, if there is one.
async function sorting(tab) {
  const tables = await tab.locator("table.sortable:has(tbody tr:nth-child(2)):has(thead th:not(.name))").all();
  if (!tables.length) return;
  const head = tables[0].locator("thead th:not(.name)").first();
  const column = await head.evaluate((th) => th.cellIndex);
  const first = await head.getAttribute("data-first");
  const cells = () => tables[0].locator(`tbody tr > :nth-child(${column + 1})`)
    .evaluateAll((all) => all.map((cell) => (/^\d/.test(cell.textContent) ? parseFloat(cell.textContent.replaceAll(",", "")) : null)));
  const original = await cells();
  const numbers = original.filter((value) => value !== null);
  const blanks = original.filter((value) => value === null);
  const down = [...numbers.toSorted((a, b) => b - a), ...blanks];
  const up = [...numbers.toSorted((a, b) => a - b), ...blanks];
  const orders = first === "descending" ? [down, up] : [up, down];
  check(numbers.length > 1 && new Set(numbers).size > 1, "the first column of figures has nothing to sort");

  const button = head.getByRole("button");
  await button.click();
  same(await cells(), orders[0], "after a click");
  same(await head.getAttribute("aria-sort"), first, "aria-sort after a click");
  await button.focus();
  await tab.keyboard.press("Enter");
  same(await cells(), orders[1], "after Enter");
  const second = first === "descending" ? "ascending" : "descending";
  same(await head.getAttribute("aria-sort"), second, "aria-sort after Enter");
  check((await tab.getByRole("status").textContent()).includes(second), "the order is not announced");
  await tab.keyboard.press("Space");
  same(await cells(), original, "after Space");
  same(await head.getAttribute("aria-sort"), null, "aria-sort after Space");

  await tab.keyboard.press("Tab");
  same(await tab.evaluate(() => document.activeElement.closest("th")?.cellIndex), column + 1, "column after Tab");
  await tab.keyboard.press("Enter");
  same(await tab.locator("th[aria-sort]").count(), 1, "columns with aria-sort");
}

// structure is what a screen reader goes by.
async function structure(tab) {
  same(await tab.locator("h1").count(), 1, "headings of the first level");
  same(await tab.locator("main, header, nav").count(), 3, "landmarks");
  const unnamed = await tab.locator("svg.plot").evaluateAll((all) =>
    all.filter((svg) => svg.getAttribute("role") !== "img" || !svg.getAttribute("aria-label")).length);
  same(unnamed, 0, "figures without a name");
  check(await tab.locator("svg").count() > 0, "there is no figure");
  same(await tab.locator("table:not(:has(caption))").count(), 0, "tables without a caption");
  const twice = await tab.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    return ids.filter((id, i) => ids.indexOf(id) !== i);
  });
  same(twice, [], "ids that are there twice");
  const broken = await tab.evaluate(() => [...document.querySelectorAll('a[href^="#"]')]
    .map((a) => a.getAttribute("href")).filter((href) => !document.getElementById(href.slice(1))));
  same(broken, [], "links to nowhere");
}

// looks measures contrast and overflow in each medium.
async function looks(tab) {
  for (const [media, colorScheme] of [["screen", "light"], ["screen", "dark"], ["print", "light"], ["print", "dark"]]) {
    await tab.emulateMedia({ media, colorScheme });
    for (const [what, ratio] of Object.entries(await tab.evaluate(contrasts, ["body", ".facts", "a", "td", "dt"]))) {
      const least = what.startsWith("line") ? 3 : 4.5; // WCAG 2.2, 1.4.11 and 1.4.3
      check(ratio >= least, `${media}, ${colorScheme}: contrast of ${what} is ${ratio.toFixed(2)}, want ${least}`);
    }
    const [red] = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    const dark = media === "screen" && colorScheme === "dark";
    check(dark === red < 128, `${media}, ${colorScheme}: the background has ${red} of red`);
    if (media === "print") check(!(await tab.locator("nav").isVisible()), "print has the navigation");
  }
  await tab.emulateMedia({ media: "screen", colorScheme: "light" });
  for (const width of [1280, 360]) {
    await tab.setViewportSize({ width, height: 800 });
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `at ${width} pixels the page is ${wide} wide`);
    if (width < 768) await narrow(tab);
  }
  const clipped = await tab.locator("svg text").evaluateAll((all) => all.filter((text) => {
    const [box, frame] = [text.getBBox(), text.ownerSVGElement.viewBox.baseVal];
    return box.x < 0 || box.x + box.width > frame.width || box.y < 0 || box.y + box.height > frame.height;
  }).map((text) => text.textContent));
  same(clipped, [], "texts that a figure cuts off");
}

// narrow is what a small screen must not lose: the legends of figures, and the names of
// rows when a table is scrolled.
async function narrow(tab) {
  const hidden = await tab.locator(".legend").evaluateAll((all) =>
    all.filter((legend) => !legend.offsetHeight || !legend.children.length).length);
  same(hidden, 0, "legends that do not show");
  const moved = await tab.locator(".scroll:has(table)").evaluateAll((all) => all.filter((box) => {
    box.scrollLeft = box.scrollWidth;
    const away = box.querySelector("tbody th").getBoundingClientRect().left - box.getBoundingClientRect().left;
    box.scrollLeft = 0;
    return Math.abs(away) > 1;
  }).length);
  same(moved, 0, "tables whose first column scrolls away");
}
