// The page as a visitor uses it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { noteCopies } from "../chromium.js";
import { address, browser, SITE, truth } from "./site.js";

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Ends a test that waits in vain. */
const PATIENCE_MS = 60_000;

/**
 * Opens the page in a fresh browser context. `problems` collects everything that goes wrong.
 * @param {import("node:test").TestContext} t
 * @param {object} options of the browser context, and
 * @param {string} [options.hash] the initial basket
 * @param {() => void} [options.before] runs before the page's own scripts
 * @param {(page: object) => Promise<void>} [options.until] the state to wait for
 * @param {boolean} [options.isCounted] whether the page counts what it asks, for `asked` and `answersWait`
 */
export async function openShop(t, { hash = "", before, until = isPriced, isCounted = false, ...options } = {}) {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: "en-GB",
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...options,
  });
  t?.after(async () => {
    await context.unrouteAll({ behavior: "ignoreErrors" }); // a request may still be on its way
    await context.close();
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await noteCopies(context);
  if (before) await context.addInitScript(before);
  const page = await context.newPage();
  if (isCounted) await countQuestions(page);
  const problems = watch(page);
  await page.goto(`${address}/${hash}`);
  await page.locator("html.is-ready").waitFor();
  await until(page);
  return { page, context, problems };
}

/** The page's module of look-ups, but it counts them by their names, and waits for slow answers as long as `answersWait` says. */
const COUNTING = (await readFile(`${SITE}model/trouble.js`, "utf8"))
  .replace("async function answer(name, ask) {", "globalThis.asked = [];\n$& globalThis.asked.push(name);")
  .replace("setTimeout(resolve, SLOW_MS)", "setTimeout(resolve, globalThis.slowMs ?? SLOW_MS)");

/** A route of Playwright would stop every request; this stops one. */
async function countQuestions(page) {
  const client = await page.context().newCDPSession(page);
  const answer = {
    responseCode: 200,
    responseHeaders: [{ name: "content-type", value: "text/javascript" }],
    body: Buffer.from(COUNTING).toString("base64"),
  };
  client.on("Fetch.requestPaused", ({ requestId }) => client.send("Fetch.fulfillRequest", { requestId, ...answer }).catch(() => {})); // the page may have been left
  await client.send("Fetch.enable", { patterns: [{ urlPattern: "*/model/trouble.js" }] });
}

/** The names of the look-ups that the basket has asked for, in sequence. */
export const asked = (page) => page.evaluate(() => globalThis.asked);

/** Slow answers do not come before the test's end, however slow the machine is. */
export const answersWait = (page) => page.evaluate(() => void (globalThis.slowMs = 3_600_000));

/** Waits until every look-up has answered. */
export const isPriced = (page) => page.locator("#status.is-current").waitFor();
export const isFailed = (page) => page.locator("#status.is-failed").waitFor();

export function watch(page) {
  const problems = [];
  const pathOf = (url) => new URL(url).pathname;
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    const isOurs = !/^Failed to load resource|Service Worker registration blocked by Playwright/.test(message.text());
    if (isOurs && ["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("requestfailed", (request) => {
    const problem = `${request.failure().errorText} ${pathOf(request.url())}`;
    // The browser loads the tab's icon when it likes, and a reload ends that. Without a network the page tries the server.
    const isTried = request.method() === "HEAD" || problem === "net::ERR_INTERNET_DISCONNECTED /catalogue/current";
    if (!isTried && problem !== "net::ERR_ABORTED /icons/icon.svg") problems.push(problem);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${pathOf(response.url())}`);
  });
  return problems;
}

/** The pages of `visit` that no test uses now. */
const free = [];

/**
 * A page that most tests share, one after another, with the basket of this hash. Each test must leave it without
 * problems. The page takes the basket at once; a moment later it writes its own form of the hash into the address.
 * @param {import("node:test").TestContext} t
 * @param {string} hash
 * @param {(page: object) => Promise<void>} until the state to wait for
 */
export async function visit(t, hash = BASKET, until = isPriced) {
  const shop = free.pop() ?? (await openShop(undefined, { isCounted: true }));
  const { page, problems } = shop;
  t.after(() => {
    free.push(shop);
    assert.deepEqual(problems.splice(0), []);
  });
  await page.evaluate((next) => {
    delete globalThis.slowMs;
    history.pushState(null, "", "#");
    location.hash = next;
  }, hash);
  await page
    .locator(`#basket-lines > li`)
    .nth(hash.match(/p=([^&]*)/)?.[1].split(".").length - 1)
    .waitFor();
  await until(page);
  return page;
}

/** Jasmine rice, discounted papaya, and eggs, delivered to Silom. */
export const BASKET = "#b=1000&c=malee&p=110003-2-1.420010-3-1.450002-1-1&s=R1-20301121T1000&at=13.7215,100.5268&z=10500";

/** The request that the page shows. In one go, so that nothing is drawn. */
export async function requestOf(page) {
  const text = await page.evaluate(() => {
    document.getElementById("show-raw").click();
    document.getElementById("raw").close();
    return document.getElementById("raw-request").textContent;
  });
  return JSON.parse(text);
}

/** The same order, priced by the package in Node. */
const trueOrder = async (page) => truth.calculate(await requestOf(page));

export const total = (page) => page.locator("#total").textContent();

/** An amount in the form of a Thai price tag. */
export const baht = (amount) =>
  new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "narrowSymbol" }).format(amount).replace("-", "−");

/** Checks that the bill shows the package's result for the order that the page sends. */
export async function assertTotal(page) {
  await isPriced(page);
  const order = await trueOrder(page);
  assert.equal(await total(page), baht(order.grandTotal));
  assert.equal(await page.locator("#subtotal").textContent(), baht(order.subTotal));
  assert.equal(await page.locator("#dock-total").textContent(), baht(order.grandTotal));
  return order;
}

export const line = (page, index) => page.locator("#basket-lines > li").nth(index);
export const card = (page, name) => page.locator("#products > li", { hasText: name });
