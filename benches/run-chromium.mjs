// Measures the same modules in headless Chromium, with a static server on loopback.
//   CHROMIUM=<program> node benches/run-chromium.mjs <result file> <milliseconds per set>
import { createReadStream, existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { CHROMIUM_FLAGS } from "../tests/chromium.js";
import { listen } from "../tests/ports.js";
import { THROTTLED } from "./orders/index.js";

const { chromium } = createRequire(new URL("../tests/package.json", import.meta.url))("playwright-core");

const [resultFile, budgetMs] = process.argv.slice(2);
const root = fileURLToPath(new URL("../", import.meta.url));

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

const WASM = "/pkg/wasm/order_cost_bg.wasm";

const PAGE = `<!doctype html><meta charset="utf-8"><script type="importmap">${JSON.stringify({
  imports: {
    "order-cost/compare": "/pkg/compare.js",
    "order-cost/url": "/pkg/url.js",
    "order-cost/wasm": WASM,
    "decimal.js": "/benches/node_modules/decimal.js/decimal.mjs",
    "dinero.js": "/benches/node_modules/dinero.js/dist/esm/index.js",
    "dinero.js/currencies": "/benches/node_modules/dinero.js/dist/esm/currencies/index.js",
  },
})}</script>`;

const server = createServer(({ url = "/" }, response) => {
  // An isolated page has a clock of 5 microseconds, any other page one of 100.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  const { pathname } = new URL(url, "http://localhost");
  if (pathname === "/") return response.setHeader("content-type", "text/html").end(PAGE);
  const file = join(root, normalize(pathname));
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
  response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
});
const address = await listen(server);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: CHROMIUM_FLAGS });
try {
  const page = await openPage();
  const results = await page.evaluate(measureInPage, { wasm: WASM, budgetMs: Number(budgetMs) });
  await page.close();
  console.log(`${THROTTLED.lines} lines: timing edits, CPU throttled ${THROTTLED.rate} times`);
  const throttled = await measureThrottled(await openPage());
  writeFileSync(resultFile, JSON.stringify({ version: browser.version(), ...results, throttled }));
} finally {
  await browser.close();
  server.close();
}

async function openPage() {
  const page = await browser.newPage();
  page.on("console", (message) => console.log(message.text()));
  await page.goto(`${address}/`);
  return page;
}

/** Ends the throttling, so that it slows no other measurement. */
async function measureThrottled(page) {
  const session = await page.context().newCDPSession(page);
  const throttle = (rate) => session.send("Emulation.setCPUThrottlingRate", { rate });
  await throttle(THROTTLED.rate);
  try {
    return await page.evaluate(measureEditsInPage, { lines: THROTTLED.lines, budgetMs: Number(budgetMs) });
  } finally {
    await throttle(1);
  }
}

/** Runs in the page. */
async function measureEditsInPage({ lines, budgetMs }) {
  const { measureEdits } = await import("/benches/orders/edits.js");
  const { createPricer } = await import("order-cost/url");
  return measureEdits(createPricer, lines, budgetMs);
}

/** Runs in the page, where `import.meta` is that of no module. */
async function measureInPage({ wasm, budgetMs }) {
  const { measureStartup, memoryBytes } = await import("/benches/measure/startup.js");
  const { runSuite } = await import("/benches/orders/suite.js");
  const { createPricer } = await import("order-cost/url");
  const bytes = await (await fetch(wasm)).arrayBuffer();
  const startup = await measureStartup(new Uint8Array(bytes));
  const sets = await runSuite(createPricer, { budgetMs, log: (line) => console.log(line) });
  return { startup, memory: await memoryBytes(), sets };
}
