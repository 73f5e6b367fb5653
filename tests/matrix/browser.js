// Pages in a real Chromium, and the files for them.
import { once } from "node:events";
import { createServer } from "node:http";
import { chromium } from "playwright-core";
import sirv from "sirv";
import { CHROMIUM_FLAGS } from "../browser/flags.js";

const { CHROMIUM } = process.env;
if (!CHROMIUM) {
  throw new Error("CHROMIUM is not set: expected the path of a Chromium, as `cargo xtask test --matrix` sets it");
}

/** Long enough for a dev server that bundles an import while the page waits. */
const PRICED_MS = 120_000;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
export const chromiumVersion = browser.version();
export const closeBrowser = () => browser.close();

/**
 * What the page at that address prices, and how many .wasm files it fetches. Fails if anything goes wrong in the page.
 */
export async function pricedAt(url) {
  const priced = (page) => page.locator("#priced:not(:empty)").textContent({ timeout: PRICED_MS });
  const { result: text, fetchedModules } = await visit(url, priced);
  return { text, fetchedModules };
}

/** The same for a page in a folder of files. */
export async function pricedIn(directory, file = "") {
  return servedFiles(directory, (url) => pricedAt(url + file));
}

/**
 * Lets `act` use the page at that address. Fails if anything goes wrong in the page. `before` runs in the page first.
 */
export async function visit(url, act, before = () => {}) {
  const context = await browser.newContext();
  try {
    await context.addInitScript(before);
    const page = await context.newPage();
    const seen = watch(page);
    seen.first.catch(() => {}); // the page is still loading
    await page.goto(url);
    const acted = act(page);
    acted.catch(() => {}); // the page may fail first
    const result = await Promise.race([acted, seen.first]);
    if (seen.all.length > 0) throw new Error(seen.all.join("\n"));
    return { result, fetchedModules: seen.fetchedModules() };
  } finally {
    await context.close();
  }
}

/** Serves a folder of files like a plain web server, while `use` uses its address. */
export async function servedFiles(directory, use, headers = {}) {
  const setHeaders = (response) => Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value));
  const server = createServer(sirv(directory, { dev: true, setHeaders })).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    return await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Collects everything that goes wrong in a page and counts the modules that it fetches. An uncaught error also ends the
 * waiting.
 */
function watch(page) {
  const all = [];
  const first = new Promise((resolve, reject) => {
    page.on("pageerror", (error) => {
      all.push(String(error));
      reject(new Error(all.join("\n")));
    });
  });
  page.on("console", (message) => {
    const isTold = message.text().startsWith("Failed to load resource"); // the response handler reports the address
    if (message.type() === "error" && !isTold) all.push(message.text());
  });
  page.on("requestfailed", (request) => all.push(`${request.failure().errorText} ${request.url()}`));
  let fetchedModules = 0;
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.endsWith(".wasm")) fetchedModules += 1;
    if (response.status() >= 400) all.push(`${response.status()} ${response.url()}`);
  });
  return { all, first, fetchedModules: () => fetchedModules };
}
