// The playground as somebody uses it.
import assert from "node:assert/strict";
import { createPricer } from "order-cost";
import { recordingHost } from "order-cost/testing";
import { violations } from "../accessibility.js";
import { noteCopies } from "../chromium.js";
import { address, browser } from "./served.js";

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

/** Tabs without options that no test uses now: to load the playground anew in one takes half of the time. */
const free = [];

/** Opens the playground, with everything loaded. `problems` collects what goes wrong. */
export async function openPlayground(t, { hash = "", ...options } = {}) {
  const isPlain = Object.keys(options).length === 0;
  const opened = (isPlain && free.pop()) || (await openTab(options));
  const { page, context, problems } = opened;
  t.after(async () => {
    if (!isPlain) return context.close();
    await page.goto("about:blank");
    problems.length = 0;
    free.push(opened);
  });
  await page.goto(`${address}/docs/play${hash}`);
  await isReady(page);
  return opened;
}

async function openTab(options) {
  const context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: "block", permissions: ["clipboard-write"], ...options });
  await noteCopies(context);
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  return { page, context, problems: watch(page) };
}

/** Waits until everything is loaded. The first move of the pointer brings the editor. */
export async function isReady(page) {
  await page.locator(".play-root[data-priced]").waitFor();
  await page.mouse.move(9, 9);
  await page.mouse.move(19, 9);
  await page.locator(".play-root[data-ready]").waitFor();
  await page.locator("#play-text-order").waitFor({ state: "attached" });
}

/** What goes wrong in a page. That a test blocks the service worker is not a fault of the page. */
export function watch(page) {
  const problems = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Service Worker/.test(message.text())) problems.push(message.text());
  });
  return problems;
}

/** Waits until a text stands somewhere, as visitors see it. */
export const shows = (page, text) => page.getByText(text).first().waitFor();

/** The amounts in the box of the total. */
const totals = (page) => page.locator(".play-amount b").allTextContents();

export async function hasTotals(page, ...expected) {
  await page
    .waitForFunction(
      (texts) => [...document.querySelectorAll(".play-amount b")].map(({ textContent }) => textContent).join("|") === texts.join("|"),
      expected,
    )
    .catch(() => {});
  assert.deepEqual(await totals(page), expected);
}

export const baht = (amount) =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: "THB", currencyDisplay: "narrowSymbol" }).format(amount).replace("-", "−");

export const tab = (page, name) => page.getByRole("tab", { name }).click();

/** Replaces the text of a field by a paste, without the clipboard, which other tests use. */
export async function write(page, id, text) {
  await page.locator(`#play-text-${id}`).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.locator(`#play-text-${id}`).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** The state that the address holds. */
export const stateIn = (url) =>
  new Response(
    new Blob([Buffer.from(new URL(url).hash.replace("#play-", ""), "base64url")])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw")),
  ).json();

/** A fragment that holds a value. */
export async function fragmentOf(value) {
  const stream = new Blob([typeof value === "string" ? value : JSON.stringify(value)])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  return `#play-${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
}

/** What the service captures of an order. */
export async function captureOf(order, host, { change = (body) => body, zones, ...noted } = {}) {
  const recording = recordingHost(host);
  const { policy = {} } = noted;
  const pricer = await createPricer(recording, { policy, ...(zones && { deliveryZones: zones }) });
  const answer = Buffer.from(await pricer.calculateJson(JSON.stringify(order))).toString();
  const head = {
    requestId: "r-17",
    route: "calculatecost4",
    policy,
    limits: {},
    dataVersion: "v-1",
    zones: null,
    request: order,
    facts: recording.facts,
    ...noted,
  };
  return `${JSON.stringify(head).slice(0, -1)},"new":{"status":200,"body":${change(answer)}}}`;
}

/** Drops files on the page. */
export async function drop(page, ...files) {
  await page.evaluate((dropped) => {
    const data = new DataTransfer();
    for (const { name, text } of dropped) data.items.add(new File([text], name));
    for (const type of ["dragover", "drop"]) {
      const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(".cm-content").dispatchEvent(event);
      if (!event.defaultPrevented) throw new Error(`${type} was left to the browser`);
    }
  }, files);
}

/** It fits its window, and axe finds nothing. */
export async function isAccessible(page, state, isSeenByAxe = true) {
  assert.deepEqual(
    await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth].join()),
    `${page.viewportSize().width},${page.viewportSize().width}`,
    `${state}: wider than the window`,
  );
  if (isSeenByAxe) assert.deepEqual(await violations(page), [], state);
}
