// Measures the page and the package in Chromium, Firefox and WebKitGTK: a table on stdout and, with --write, in
// BENCHMARKS.md.
//   node benches/run-engines.mjs <visits of fresh browsers> <milliseconds per set of edits> [--write]
import { readFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { ENGINES } from "../tests/engines/engines.js";
import { ENTRIES, plainPage, served } from "../tests/engines/served.js";
import { median } from "./measure/index.js";
import { figure, table, writeFigures } from "./text/index.js";

const [visits, budgetMs, option] = process.argv.slice(2);
const root = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const LINES = [20, 200];

/** An isolated page has the finest clock that its engine offers. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Notes when the page shows its first price. It must be there before the page's own scripts. */
const NOTE = `<script>
  new MutationObserver((changes, observer) => {
    if (document.querySelector("html.is-ready #status.is-current") === null) return;
    globalThis.pricedAt = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true });
</script>`;
const SHOP = readFileSync(root("target/site/index.html"), "utf8").replace("<head>", `<head>${NOTE}`);

const rows = [];
for (const [name, open] of Object.entries(ENGINES)) {
  const load = await samples(`${name}: opening the page`, () => loadTime(open));
  const first = [];
  for (const entry of ENTRIES) first.push(await samples(`${name}: first price with ${entry}`, () => firstPrice(open, entry)));
  console.log(`${name}: edits`);
  const { version, edits } = await editTimes(open);
  rows.push([
    `${name} ${version}`,
    ...[load, ...first].map((times) => `${figure(median(times))} ms`),
    ...edits.map((times) => `${figure(median(times))} µs`),
  ]);
}

const machine = `${os.cpus()[0].model.trim()}, ${os.cpus().length} cores; ${os.platform()} ${os.arch()}. Medians: of ${visits} visits each; of many rounds of edits.`;
const headers = [
  "engine",
  "load",
  ...ENTRIES.map((entry) => `first price, \`${entry}\``),
  ...LINES.map((lines) => `an edit of ${lines} lines`),
];
const figures = `${machine}\n\n${table(headers, rows)}`;
console.log(`\n${figures}`);
if (option === "--write") writeFigures(root("BENCHMARKS.md"), figures, "engines");

async function samples(what, measure) {
  console.log(what);
  const times = [];
  while (times.length < Number(visits)) times.push(await measure());
  return times;
}

/** Milliseconds from the start of the navigation to the first price. */
function loadTime(open) {
  return inTab(open, (tab) => {
    const visit = async (address) => {
      await tab.goto(address);
      await tab.until(() => globalThis.pricedAt !== undefined);
      return tab.evaluate(() => globalThis.pricedAt);
    };
    return served("target/site", visit, { pages: { "/": SHOP } });
  });
}

/** Milliseconds that a page needs for its pricer and its first order. */
function firstPrice(open, entry) {
  return onPage(open, entry, (tab) => tab.evaluate(firstPriceInPage));
}

/** Microseconds per edit by round, for each size of a basket. */
function editTimes(open) {
  return onPage(open, "order-cost/url", async (tab) => {
    const edits = [];
    for (const lines of LINES) edits.push(await tab.evaluate(editsInPage, lines, Number(budgetMs)));
    return { version: tab.version, edits };
  });
}

function onPage(open, entry, use) {
  return inTab(open, (tab) => {
    const visit = async (address) => {
      await tab.goto(`${address}/page`);
      return use(tab);
    };
    return served("", visit, { pages: { "/page": plainPage(entry) }, headers: ISOLATED });
  });
}

/** A time counts only if nothing went wrong in the page. */
async function inTab(open, use) {
  const tab = await open();
  try {
    const result = await use(tab);
    const problems = await tab.problems();
    if (problems.length > 0) throw new Error(`${tab.name}: ${problems.join("\n")}`);
    return result;
  } finally {
    await tab.close();
  }
}

/** Runs in the page. */
async function firstPriceInPage() {
  const { readyHost } = await import("/benches/orders/hosts.js");
  const { work, zonesText } = await import("/benches/orders/work.mjs");
  const { createPricer } = await import("order-cost");
  const [{ body, answers }] = work(20);
  const deliveryZones = zonesText();
  const start = performance.now();
  const pricer = await createPricer(readyHost, { deliveryZones });
  await pricer.calculateJson(body, { context: answers });
  return performance.now() - start;
}

/** Runs in the page. */
async function editsInPage(lines, budgetMs) {
  const { measureEdits } = await import("/benches/orders/edits.js");
  const { createPricer } = await import("order-cost");
  return measureEdits(createPricer, lines, budgetMs);
}
