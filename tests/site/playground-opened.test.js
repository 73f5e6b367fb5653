// What the playground opens: links, captures, and itself without a network. Nothing leaves it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hostFromFacts } from "order-cost/testing";
import { EXAMPLES } from "../../www/docs/play/examples.js";
import { copied } from "../chromium.js";
import {
  baht,
  captureOf,
  drop,
  fragmentOf,
  hasTotals,
  isAccessible,
  isReady,
  openPlayground,
  PHONE,
  shows,
  stateIn,
  tab,
  write,
} from "./player.js";
import { address, browser, startServed, startServer, stopServed, stopServer } from "./served.js";

before(startServed);
after(stopServed);

const ORDER = { productList: [{ cprcode: 1, productName: "ข้าว", quantity: 2 }] };
const HOST = hostFromFacts({ prices: { 1: { price: 0.1234567890123456 } } });
const FACTS = '{"prices": {"1": {"price": 21}}}';
const file = (text, name = "slot-17") => ({ name, text });

test("a link holds the whole state, and opens as it was copied", async (t) => {
  const { page } = await openPlayground(t);
  assert.equal(new URL(page.url()).hash, "", "the first example needs none");
  await write(page, "order", JSON.stringify(ORDER));
  await page.getByRole("switch", { name: "Compare two versions" }).click();
  await page.getByLabel("rowTotal, B", { exact: true }).selectOption("list");
  await tab(page, "Facts of B");
  await write(page, "other", FACTS);
  await hasTotals(page, "No price", baht(42));
  await page.getByRole("button", { name: "Copy link" }).click();
  await shows(page, "Copied");
  const link = await copied(page);
  await page.waitForFunction((href) => location.href === href, link);
  assert.deepEqual(await stateIn(link), {
    order: JSON.stringify(ORDER),
    facts: EXAMPLES[0].state.facts,
    policy: {},
    other: { policy: { rowTotal: "list" }, facts: FACTS },
  });

  await page.goto("about:blank");
  await page.goto(link);
  await isReady(page);
  await hasTotals(page, "No price", baht(42));
  await tab(page, "Policies");
  assert.equal(await page.getByLabel("rowTotal, B", { exact: true }).inputValue(), "list");
  await page.evaluate((hash) => void (location.hash = hash), await fragmentOf(EXAMPLES[1].state));
  await page.locator("#play-example option:checked", { hasText: EXAMPLES[1].title }).waitFor({ state: "attached" });
});

test("a link stays short: the first example in 2,000 characters", async () => {
  const { length } = await fragmentOf(EXAMPLES[0].state);
  assert.ok(length < 2_000, `${length} characters`);
});

test("a link that is broken, or holds too much, gives a sentence and an example", async (t) => {
  const whole = await fragmentOf(EXAMPLES[1].state);
  const broken = [
    "#play-",
    "#play-!!!",
    whole.slice(0, -20),
    await fragmentOf("nonsense"),
    await fragmentOf({ order: 1, facts: "{}" }),
    await fragmentOf({ order: "{}", facts: "{}", policy: { rowTotal: "lost" } }),
    await fragmentOf({ order: "{}", facts: "{}", policy: JSON.parse('{"__proto__":"x"}') }),
    await fragmentOf({ order: "{}", facts: "{}", other: 7 }),
  ];
  const { page, problems } = await openPlayground(t, { hash: broken[0] });
  for (const hash of broken.slice(1)) {
    await page.locator("[role=alert]", { hasText: "This link is damaged" }).waitFor();
    await hasTotals(page, baht(385.5));
    await page.evaluate((next) => void (location.hash = next), whole);
    await page.locator("[role=alert]", { hasText: "This link is damaged" }).waitFor({ state: "detached" });
    await page.evaluate((next) => void (location.hash = next), hash);
  }
  await page.locator("[role=alert]", { hasText: "This link is damaged" }).waitFor();
  await page.evaluate((next) => void (location.hash = next), await fragmentOf(`{"order":"${" ".repeat(8_000_000)}"}`));
  await shows(page, "This link holds more than this page opens.");
  assert.deepEqual(problems, []);
});

const EMPTY = { order: JSON.stringify(ORDER), facts: FACTS, policy: {} };
const captured = { requestId: "r-17", answered: "nonsense", noted: [] };
for (const [what, more, sentence] of [
  [
    "a limit below 0",
    { limits: { maxProducts: -1 } },
    "It opens without its limits: limits.maxProducts: expected an integer of 0 to 4294967295.",
  ],
  ["an unknown limit", { limits: { maxProduct: 5 } }, "It opens without its limits: limits.maxProduct: unknown, did you mean maxProducts."],
  ["an unknown input", { input: "loose" }, "It opens without how it was read: input: expected one of strict, lenient."],
  ["a captured answer that is no JSON", { captured }, "It opens without its captured answer: This is not JSON: Unexpected token"],
]) {
  test(`a link with ${what} opens without it, and says so`, async (t) => {
    const { page, problems } = await openPlayground(t, { hash: await fragmentOf({ ...EMPTY, ...more }) });
    await shows(page, sentence);
    await hasTotals(page, baht(42));
    await page.evaluate((next) => void (location.hash = next), await fragmentOf({ ...EMPTY, other: { policy: {} }, ...more }));
    await hasTotals(page, baht(42), baht(42), baht(0));
    await shows(page, sentence);
    assert.deepEqual(problems, []);
  });
}

test("a capture with a wrong limit opens without it, and says so", async (t) => {
  const { page, problems } = await openPlayground(t);
  await drop(page, file(await captureOf(ORDER, HOST, { limits: { maxCoupons: "many" } })));
  await shows(page, "It opens without its limits: limits.maxCoupons: expected an integer");
  await shows(page, "The answers are the same, to the byte.");
  assert.deepEqual(problems, []);
});

test("nothing of a link or a capture becomes markup", async (t) => {
  const evil = '<img src=x onerror="globalThis.hacked=1">';
  const order = { productList: [{ cprcode: 1, productName: evil, quantity: 1 }], voucherId: [evil], [evil]: 1 };
  const hash = await fragmentOf({
    order: JSON.stringify(order),
    facts: JSON.stringify({ prices: { 1: { price: 1 } }, vouchers: { [evil]: { value: 1, isActive: true, isUsed: false } } }),
    policy: {},
    captured: { requestId: evil, answered: "{}", noted: [[evil, evil]] },
  });
  const { page, problems } = await openPlayground(t, { hash });
  await shows(page, `Captured order ${evil}`);
  for (const name of ["Answer", "Questions", "Facts", "Waterfall"]) await tab(page, name);
  await drop(
    page,
    file(
      await captureOf(
        order,
        hostFromFacts({ prices: { 1: { price: 1 } }, vouchers: { [evil]: { value: 1, isActive: true, isUsed: false } } }),
        { requestId: evil, dataVersion: evil },
      ),
    ),
  );
  await shows(page, "The answers are the same, to the byte.");
  await drop(page, file("{}", evil));
  await page.locator("[role=alert]", { hasText: `${evil} is no capture` }).waitFor();
  assert.equal(await page.locator(".play img").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.deepEqual(problems, []);
});

test("a dropped capture fills order, facts and policies, and says whether the answer is the captured one", async (t) => {
  const { page } = await openPlayground(t);
  await drop(page, file(await captureOf(ORDER, HOST, { policy: { rowTotal: "list" } })));
  await page.getByRole("heading", { name: "Captured order r-17" }).waitFor();
  await shows(page, "The answers are the same, to the byte.");
  await shows(page, "route calculatecost4 · data v-1");
  await tab(page, "Policies");
  assert.equal(await page.getByLabel("rowTotal", { exact: true }).inputValue(), "list");
  await tab(page, "Answer");
  await page.locator(".play-answer", { hasText: "0.2469135780246912" }).waitFor();
  await page.getByLabel("rowTotal", { exact: true }).selectOption("effective");
  await shows(page, "The answers are the same, to the byte."); // the list price is the price here

  await page.waitForTimeout(600); // longer than the address waits
  const before = page.url();
  await drop(page, file(await captureOf(ORDER, HOST, { change: (body) => body.replace('"grandTotal":0.', '"grandTotal":1.') })));
  await shows(page, "1 field differs.");
  await page.getByRole("row", { name: "grandTotal 1.2469135780246912 0.2469135780246912" }).waitFor();
  await page.waitForFunction((href) => location.href !== href, before);
  await page.reload();
  await shows(page, "1 field differs."); // the address holds it
  await isReady(page);
  await isAccessible(page, "captured");
  await page.getByRole("button", { name: "Forget the captured answer" }).click();
  await page.getByRole("heading", { name: "Captured order r-17" }).waitFor({ state: "hidden" });
  await hasTotals(page, baht(0.25));
});

test("a capture with zones says which file is missing, and takes both; a chosen file opens, too", async (t) => {
  const { page } = await openPlayground(t, { viewport: PHONE });
  const { deliveryZones, ...known } = JSON.parse(EXAMPLES[0].state.facts);
  const text = (await captureOf(JSON.parse(EXAMPLES[0].state.order), hostFromFacts(known), { zones: deliveryZones })).replace(
    '"zones":null',
    '"zones":"3fc9"',
  );
  const choose = async (...files) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a capture" }).click()]);
    await chooser.setFiles(files.map((one) => ({ name: one.name, mimeType: "", buffer: Buffer.from(one.text) })));
  };
  await choose(file(text));
  await page.locator("[role=alert]", { hasText: "The delivery zones of this order are missing." }).waitFor();
  await choose(file(text), file(JSON.stringify(deliveryZones), "3fc9.geojson"));
  await shows(page, "The answers are the same, to the byte.");
  await hasTotals(page, baht(385.5));
  await choose(file("hello", "a.txt"));
  await page.locator("[role=alert]", { hasText: "a.txt is not JSON" }).waitFor();
});

/** Browsers ask for the icon again, and the theme for the page of a link that comes into view: by its name, without anything else. */
const isAhead = (request) =>
  request.method() === "GET" && /^\/docs\/(icon\.svg|assets\/[\w-]+\.md\.[\w.-]+\.js)$/.test(request.url().replace(address, ""));

test("once it is loaded, no request leaves the page, whatever is done in it", async (t) => {
  const { page, context } = await openPlayground(t);
  await page.waitForLoadState("networkidle");
  const requests = [];
  context.on("request", (request) => isAhead(request) || requests.push(`${request.method()} ${request.url()}`));
  await write(page, "order", JSON.stringify(ORDER));
  await tab(page, "Facts");
  await write(page, "facts", FACTS);
  await hasTotals(page, baht(42));
  for (const name of ["Policies", "Answer", "Questions", "Waterfall"]) await tab(page, name);
  await page.getByRole("switch", { name: "Compare two versions" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await drop(page, file(await captureOf(ORDER, HOST)));
  await shows(page, "The answers are the same, to the byte.");
  await tab(page, "Order");
  await page.locator("#play-text-order").click();
  await page.keyboard.press("Control+Space");
  await page.waitForTimeout(1_000);
  assert.deepEqual(requests, []);
  assert.deepEqual(
    await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => !key.startsWith("vitepress"))),
    [],
  );
  assert.deepEqual((await context.cookies()).length, 0);
});

test("after one visit it opens without its server, prices, and opens links and captures", async (t) => {
  const { page, context, problems } = await openPlayground(t, { serviceWorkers: "allow" });
  await shows(page, "It opens without a network, too.");
  const link = await fragmentOf({ order: JSON.stringify(ORDER), facts: FACTS, policy: {} });
  await context.setOffline(true);
  await stopServer();
  t.after(startServer);
  await page.reload();
  await isReady(page);
  await hasTotals(page, baht(385.5));
  await write(page, "order", JSON.stringify(ORDER));
  await page.evaluate((hash) => void (location.hash = hash), link);
  await hasTotals(page, baht(42));
  await drop(page, file(await captureOf(ORDER, HOST)));
  await shows(page, "The answers are the same, to the byte.");
  assert.deepEqual(
    problems.filter((text) => !/net::ERR_/.test(text)),
    [],
  );
});

test("without its module it says what failed", async (t) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404 }));
  await page.goto(`${address}/docs/play`);
  await page
    .locator("[role=alert]", {
      hasText: /^The playground could not load: .* answered 404\. Serve the package's wasm\/order_cost_bg\.wasm there/,
    })
    .waitFor();
});

test("without JavaScript it says what it is", async (t) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`${address}/docs/play`);
  await page.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
  assert.match(await page.locator("noscript").last().innerText(), /^The playground needs JavaScript\./);
});
