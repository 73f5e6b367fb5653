// The guide's recipe for two tabs: two pages of one browser, each with a basket, a store and a host of its own.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { guide, placeOf } from "../package/pages.js";
import { blocksOf } from "../package/snippets.js";
import { browser, origin, startBeside } from "./beside.js";

const PACKAGE = fileURLToPath(new URL("../../pkg/", import.meta.url));
const { code: recipe } = blocksOf(placeOf(guide("basket"))).find(({ heading }) => heading === "Two tabs");
const PRICE = 37.25;

/** How long an echo may take to come back, and a basket to ask by itself: many times its debounce. */
const QUIET_MS = 300;

let context;
/** What the hosts of both tabs have asked. */
let asked;
/** Answers a look-up. */
let answer;

startBeside(serve);

beforeEach(async () => {
  asked = [];
  answer = (keys) => keys.map(() => ({ price: PRICE }));
  context = await browser.newContext();
});

afterEach(() => context.close());

/** A page, the recipe, the package's modules, and the prices. */
async function serve(request, response) {
  const { url, method } = request;
  if (method === "POST") {
    const keys = JSON.parse(Buffer.concat(await request.toArray()));
    asked.push(keys.map(({ cprcode }) => cprcode));
    return response.end(JSON.stringify(await answer(keys)));
  }
  if (url === "/") return response.setHeader("content-type", "text/html").end("<!doctype html>");
  response.setHeader("content-type", "text/javascript");
  if (url === "/recipe.js") return response.end(recipe);
  const file = await readFile(path.join(PACKAGE, url)).catch(() => undefined);
  response.writeHead(file ? 200 : 404).end(file);
}

/** A tab with a basket of these products. */
async function openTab(productList) {
  const page = await context.newPage();
  await page.goto(origin);
  await page.evaluate(async (productList) => {
    const [{ createPricer }, { shareWithTabs }] = await Promise.all([import("/inline.js"), import("/recipe.js")]);
    const lookupPrices = async (keys) => (await fetch("/prices", { method: "POST", body: JSON.stringify(keys) })).json();
    const pricer = await createPricer({ lookupPrices }, { deadlineMs: 0 });
    const facts = pricer.facts();
    window.basket = pricer.basket({ productList }, { facts, autoSettle: { debounceMs: 20 } });
    window.end = shareWithTabs(window.basket, facts);
    window.messages = 0;
    new BroadcastChannel("basket").onmessage = () => (window.messages += 1);
  }, productList);
  return page;
}

const product = (cprcode, quantity = 1) => ({ cprcode, productName: `product ${cprcode}`, quantity });
const shows = (tab, total) => tab.waitForFunction(shown, total);
const shown = (total) => window.basket.status === "current" && window.basket.totals.grandTotal === total;
const edit = (tab, method, ...args) => tab.evaluate(([method, args]) => void window.basket[method](...args), [method, args]);
const messages = (tab) => tab.evaluate(() => window.messages);
const totalOf = (tab) => tab.evaluate(() => window.basket.totals.grandTotal);

test("a price that one tab has asked for, and its edits, appear in the other one, which asks nothing", async () => {
  const [one, other] = [await openTab([]), await openTab([])];
  await edit(one, "addProduct", product(1001));
  await shows(other, PRICE);
  await edit(one, "setQuantity", 0, 3);
  await shows(other, 3 * PRICE);
  await edit(other, "addProduct", product(1001, 2));
  await shows(one, 5 * PRICE);
  await edit(other, "removeProduct", 0);
  await shows(one, 2 * PRICE);
  await wait(QUIET_MS);
  assert.deepEqual(asked, [[1001]]);
});

test("an edit makes one message: the tabs send nothing back", async () => {
  const [one, other] = [await openTab([]), await openTab([])];
  await edit(one, "addProduct", product(1001));
  await shows(other, PRICE);
  await wait(QUIET_MS);
  const before = await messages(one);
  await edit(other, "setQuantity", 0, 3);
  await shows(one, 3 * PRICE);
  await wait(QUIET_MS);
  assert.equal((await messages(one)) - before, 1);
});

test("a price that one tab asks for again changes in the other one", async () => {
  const [one, other] = [await openTab([]), await openTab([])];
  await edit(one, "addProduct", product(1001));
  await shows(other, PRICE);
  answer = (keys) => keys.map(() => ({ price: 39 }));
  await edit(one, "refresh");
  await shows(other, 39);
  await wait(QUIET_MS);
  assert.deepEqual(asked, [[1001], [1001]]);
});

test("a tab that opens changes no order but its own", async () => {
  const one = await openTab([product(1001, 2)]);
  await shows(one, 2 * PRICE);
  await shows(await openTab([]), 0);
  await shows(await openTab([product(1002)]), PRICE);
  await wait(QUIET_MS);
  assert.equal(await totalOf(one), 2 * PRICE);
});

test("an edit whose price comes from another tab is told, too", async () => {
  const other = await openTab([product(1002)]);
  await shows(other, PRICE);
  const one = await openTab([]);
  answer = (keys) => (asked.length === 2 ? new Promise(() => {}) : keys.map(() => ({ price: 39 })));
  await edit(one, "addProducts", [product(1002), product(1002)]);
  while (asked.length < 2) await wait(10);
  await edit(other, "refresh");
  await shows(one, 2 * 39);
  await shows(other, 2 * 39);
});

test("what a tab of another version sends does not end it", async () => {
  const [one, other] = [await openTab([]), await openTab([])];
  await one.evaluate(() => new BroadcastChannel("basket").postMessage({ order: { productList: 7 }, known: {} }));
  await edit(one, "addProduct", product(1001));
  await shows(other, PRICE);
});

test("a tab that has ended it neither tells nor hears", async () => {
  const [one, other] = [await openTab([]), await openTab([])];
  await one.evaluate(() => window.end());
  await edit(one, "addProduct", product(1001));
  await shows(one, PRICE);
  await edit(other, "addProduct", product(1001, 2));
  await shows(other, 2 * PRICE);
  await wait(QUIET_MS);
  assert.equal(await totalOf(one), PRICE);
  assert.deepEqual(asked, [[1001], [1001]]);
});
