// Pages in a real Chromium, and the files for them.
import { createServer } from "node:http";
import sirv from "sirv";
import { openChromium } from "../chromium.js";
import { listen } from "../ports.js";

/** Long enough for a dev server that bundles an import while the page waits. */
const PRICED_MS = 120_000;

/** How often a page is opened until it prices. React Router does not reload it: the second visit prices. */
const WARM_UPS = 5;

const browser = await openChromium();
export const chromiumVersion = browser.version();
export const closeBrowser = () => browser.close();

/**
 * What the page at that address prices, and the .wasm files that it fetches. Fails if anything goes wrong in the page.
 */
export async function pricedAt(url) {
  const priced = (page) => page.locator("#priced:not(:empty)").textContent({ timeout: PRICED_MS });
  const { result: text, fetchedModules } = await visit(url, priced);
  return { text, fetchedModules };
}

/** The same for a page in a folder of files, which a plain web server sends with those headers. */
export async function pricedIn(directory, file = "", headers = {}) {
  return servedFiles(directory, (url) => pricedAt(url + file), headers);
}

/**
 * Opens a page of a development server until it prices. Only then does the server find the imports; it bundles them and
 * reloads the page, which breaks off what is under way. That is no fault of the page.
 */
export async function warmUp(url) {
  const page = await browser.newPage();
  const open = () => page.goto(url, { waitUntil: "networkidle", timeout: PRICED_MS }).catch(() => {});
  const isPriced = () =>
    page
      .locator("#priced:not(:empty)")
      .count()
      .catch(() => 0);
  try {
    for (let left = WARM_UPS; left > 0 && !(await isPriced()); left -= 1) await open();
  } finally {
    await page.close();
  }
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
    return { result, fetchedModules: seen.fetchedModules };
  } finally {
    await context.close();
  }
}

/** Serves a folder of files like a plain web server, while `use` uses its address. */
export async function servedFiles(directory, use, headers = {}) {
  const setHeaders = (response) => Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value));
  const server = createServer(sirv(directory, { dev: true, setHeaders }));
  try {
    return await use(`${await listen(server)}/`);
  } finally {
    server.close().closeAllConnections();
  }
}

/**
 * Collects everything that goes wrong in a page, and the modules that it and its workers fetch. An error that
 * nobody caught, or that a framework caught and printed, also ends the waiting.
 */
function watch(page) {
  const all = [];
  const first = new Promise((resolve, reject) => {
    const fail = (text) => {
      all.push(text);
      reject(new Error(all.join("\n")));
    };
    page.on("pageerror", (error) => fail(String(error)));
    page.on("console", (message) => {
      const isTold = message.text().startsWith("Failed to load resource"); // the response handler reports the address
      if (message.type() === "error" && !isTold) fail(message.text());
    });
  });
  page.on("requestfailed", (request) => all.push(`${request.failure().errorText} ${request.url()}`));
  const fetchedModules = [];
  page.context().on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith(".wasm")) fetchedModules.push(pathname);
    if (response.status() >= 400) all.push(`${response.status()} ${response.url()}`);
  });
  return { all, first, fetchedModules };
}
