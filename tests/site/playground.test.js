// The playground: an order and facts are priced in the page, as the package prices them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { EXAMPLES } from "../../www/docs/play/examples.js";
import { allAtNight } from "../effort.js";
import { baht, DESKTOP, hasTotals, isAccessible, openPlayground, PHONE, shows, tab, write } from "./player.js";
import { address, browser, startServed, stopServed } from "./served.js";

before(startServed);
after(stopServed);

const CHOICE = "#play-example";
const exampleNamed = (part) => EXAMPLES.findIndex(({ title }) => title.includes(part));

/** What the package says of a state, in Node. */
async function truth({ order, facts, policy }, changed = {}) {
  const { deliveryZones, ...known } = JSON.parse(facts);
  const pricer = await createPricer(hostFromFacts(known), { deliveryZones, policy: { ...policy, ...changed } });
  return pricer.explain(JSON.parse(order));
}

const priceless = ({ error }) => error?.code;

test("it opens with a priced order: its total, its steps with their decisions, its questions and its answer", async (t) => {
  const { page, problems } = await openPlayground(t);
  const { order, steps } = await truth(EXAMPLES[0].state);
  await hasTotals(page, baht(order.grandTotal));
  const bars = await page.locator(".waterfall .amount").allTextContents();
  const moved = steps.filter(({ amount, runningTotal }) => amount !== 0 && runningTotal !== null);
  assert.equal(bars.length, moved.length + 1);
  assert.equal(bars.at(-1), baht(order.grandTotal));
  const link = page.locator(".waterfall").getByRole("link", { name: "D15 rowTotal" }).first();
  assert.equal(await link.getAttribute("href"), "/docs/project/decisions#d15");
  await page.getByRole("button", { name: "ไทย" }).click();
  await page.locator(".waterfall").getByRole("link", { name: "D34 เขตจัดส่ง" }).waitFor();

  await tab(page, "Answer");
  assert.deepEqual(JSON.parse(await page.locator(".play-answer").textContent()), JSON.parse(JSON.stringify(order)));
  await tab(page, "Questions");
  assert.deepEqual(await page.locator(".play-questions h2").allTextContents(), [
    "lookupPrices",
    "deliveryZones",
    "lookupVouchers",
    "validateCoupons",
  ]);
  await page.locator(".play-questions").getByText("110018/1000", { exact: true }).waitFor();
  assert.deepEqual(problems, []);
});

test("each example has the price, or the error, that the package gives", async (t) => {
  const { page, problems } = await openPlayground(t);
  for (const [index, { state, title }] of EXAMPLES.entries()) {
    await page.locator(CHOICE).selectOption(`${index}`);
    const result = await truth(state).catch((error) => ({ error }));
    await hasTotals(page, result.error ? "No price" : baht(result.order.grandTotal));
    if (priceless(result)) await page.locator(".play-status", { hasText: priceless(result) }).waitFor();
    assert.equal(await page.locator(`${CHOICE} option:checked`).textContent(), title);
  }
  assert.deepEqual(problems, []);
});

test("before anybody does anything it shows the order, is accessible, and Tab reaches the text", async (t) => {
  const context = await browser.newContext({ viewport: PHONE, serviceWorkers: "block" });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`${address}/docs/play`);
  await page.locator(".play-root[data-priced]").waitFor();
  assert.equal((await page.locator(".play-picture:visible").textContent()).trim(), EXAMPLES[0].state.order);
  assert.equal(await page.locator(".cm-editor").count(), 0);
  await isAccessible(page, "picture");
  await page.locator(".play-picture:visible").focus();
  await page.waitForFunction(() => document.activeElement.id === "play-text-order");
});

for (const [what, options, press] of [
  ["tap on a phone", { viewport: PHONE, hasTouch: true, isMobile: true }, (page, at) => page.touchscreen.tap(at.x, at.y)],
  ["click", { viewport: DESKTOP }, (page, at) => page.mouse.click(at.x, at.y)],
]) {
  test(`a first ${what} puts the caret where it was`, async (t) => {
    const page = await browser.newPage({ serviceWorkers: "block", ...options });
    t.after(() => page.close());
    await page.goto(`${address}/docs/play`);
    await page.locator(".play-root[data-priced]").waitFor();
    const word = page.locator(".play-picture:visible .json-key", { hasText: '"quantity"' }).first();
    await word.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await word.boundingBox();
    await press(page, { x: x + width / 2, y: y + height / 2 });
    await page.waitForFunction(() => document.activeElement.id === "play-text-order");
    await page.keyboard.type("HERE");
    await page.locator("#play-text-order", { hasText: /"qu?a?n?t?i?HEREt?i?t?y?"/ }).waitFor();
  });
}

test("an edit of the order or of the facts is priced at once, and undo takes it back", async (t) => {
  const { page } = await openPlayground(t);
  const { order } = await truth(EXAMPLES[0].state);
  await write(page, "order", '{"productList": [{"cprcode": 110018, "productName": "ข้าว", "quantity": 3}]}');
  await hasTotals(page, baht(693));
  assert.equal(await page.locator(`${CHOICE} option:checked`).textContent(), "Your own");
  await tab(page, "Facts");
  await write(page, "facts", '{"prices": {"110018": {"price": 0.1}}}');
  await hasTotals(page, baht(0.3));
  await tab(page, "Order");
  await page.locator(CHOICE).selectOption("0");
  await hasTotals(page, baht(order.grandTotal));
  await page.locator("#play-text-order").click();
  await page.keyboard.press("ControlOrMeta+z");
  await page.locator("#play-text-order", { hasText: '"quantity": 3' }).waitFor();
});

test("every fault stands at its place: of the order, of its JSON, of a price and of a zone", async (t) => {
  const { page } = await openPlayground(t);
  const faults = page.locator(".play-faults:visible li");
  const marked = page.locator(".cm-content:visible .cm-lintRange-error");
  await page.locator(CHOICE).selectOption(`${exampleNamed("faults")}`);
  await shows(page, "productList[0].quantity");
  assert.deepEqual(await marked.allTextContents(), ["1.5", '"420010"', '"EXPRES"']);
  await page.getByRole("tab", { name: "Order 3" }).waitFor();
  assert.match(await faults.last().textContent(), /^Line 14 voucherIds: The pricer does not read this key$/);
  await page.getByRole("button", { name: "Line 12" }).click();
  assert.equal(await page.locator(".cm-activeLine:visible").textContent(), '    "scheduleList": [{ "mode": "EXPRES" }]');

  await write(page, "order", '{\n  "productList": [1,]\n}');
  await page.locator(".play-faults:visible li", { hasText: "Line 2 This is not JSON" }).waitFor();
  await hasTotals(page, "No price");

  await write(
    page,
    "order",
    '{"productList": [{"cprcode": 1, "productName": "x", "quantity": 1},\n {"cprcode": 2, "productName": "y", "quantity": 1}]}',
  );
  await tab(page, "Facts");
  await write(page, "facts", '{"prices": {"1": {"price": 10}}}');
  await tab(page, "Order");
  await page.locator(".play-faults:visible li", { hasText: "Line 2 productList[1].cprcode: No price for 2/1000" }).waitFor();
  assert.deepEqual(await marked.allTextContents(), ["2"]);

  await tab(page, "Facts");
  await write(
    page,
    "facts",
    '{"prices": {"1": {"price": -1}},\n "deliveryZones": {"type": "FeatureCollection", "features": [{}]},\n "prizes": {}}',
  );
  await page.locator(".play-faults:visible li", { hasText: "deliveryZones.features[0].type: expected Feature" }).waitFor();
  assert.deepEqual(await marked.allTextContents(), ["-1", "{"]);
  await shows(page, "No host reads this");

  await write(page, "facts", '{"prices": {"1e3": {"price": 10}}}');
  await shows(page, "expected a product such as 1001, or one of a branch such as 1001/1000");
  await write(
    page,
    "facts",
    '{"prices": {"1": {"price": 10}}, "vouchers": {"V": {"value": 1, "isActive": true, "isUsed": false, "title": "passed on"}},\n "coupons": {"discounts": [{"coupon": "C", "discont": 5, "lines": [{"line": 0, "discount": 1}]}]}}',
  );
  await page.locator(".play-faults:visible li", { hasText: "Line 2 coupons.discounts[0].discont: No host reads this" }).waitFor();
  assert.equal(await faults.filter({ hasText: "No host reads this" }).count(), 1);
  await tab(page, "Order");
  await write(
    page,
    "order",
    '{"productList": [{"cprcode": 1, "productName": "x", "quantity": -1}], "shipping": {"shippingType": "DELIVERY"}}',
  );
  await page.locator(".play-faults:visible li", { hasText: "productList[0].quantity: The row costs nothing (D13)" }).waitFor();
  await page.locator(".play-faults:visible li", { hasText: "shipping: A delivery without a scheduleList costs nothing" }).waitFor();
  await page.getByRole("tab", { name: "Order 2" }).waitFor();
  await write(
    page,
    "order",
    '{"productList": [{"cprcode": 1, "productName": "x", "quantity": 1}], "voucherId": ["V"], "shipping": {"shippingType": "DELIVERY", "scheduleList": [{"mode": "REGULAR", "deliveryFee": 45}]}}',
  );
  await page.locator(".play-faults:visible li", { hasText: "voucherId: No voucher counts: the order has no ownerId" }).waitFor();
  await page
    .locator(".play-faults:visible li", { hasText: "shipping.scheduleList[0].deliveryFee: The fee is that of the facts" })
    .waitFor();
  await page
    .locator(".play-faults:visible li", { hasText: "shipping: Without shippingLat and shippingLon the address is at 0, 0" })
    .waitFor();
  await tab(page, "Facts");

  await write(page, "facts", '{"prices": {"1": {"price": 1}, "2": {"price": 1}}, "vouchers": {"V": {"value": 5}}}');
  await tab(page, "Order");
  await write(page, "order", '{"productList": [{"cprcode": 1, "productName": "x", "quantity": 1}], "voucherId": ["V"]}');
  await page.getByRole("tab", { name: "Facts 1" }).click();
  await page.locator(".play-faults:visible li", { hasText: "vouchers.V: isActive: required" }).waitFor();
});

test("what the facts do not have is added with a click, ready to be corrected", async (t) => {
  const { page, problems } = await openPlayground(t);
  await page.locator(CHOICE).selectOption(`${exampleNamed("Vouchers")}`);
  await shows(page, "The voucher BIRTHDAY200-CRN7 does not count: it has already been used.");
  await write(
    page,
    "order",
    '{"ownerId": "ann", "branchId": "7", "productList": [{"cprcode": 1, "productName": "x", "quantity": 2}, {"cprcode": 2, "productName": "y", "quantity": 1}], "voucherId": ["V"]}',
  );
  await shows(page, "Not in the facts: price 1/7, price 2/7, voucher V.");
  await page.getByRole("button", { name: "Add them with invented amounts" }).click();
  await hasTotals(page, baht(250));
  await page.keyboard.type("31.25");
  await hasTotals(page, baht(112.5));
  await page.locator("#play-text-facts", { hasText: '"1/7": { "price": 31.25 },' }).waitFor();

  const parcels = exampleNamed("parcels");
  await page.locator(CHOICE).selectOption(`${parcels}`);
  const { rates, ...rest } = JSON.parse(EXAMPLES[parcels].state.facts);
  await write(page, "facts", JSON.stringify(rest));
  const added = { DRY: { deliveryFee: 50 }, FRESH: { deliveryFee: 50 } };
  const cost = await truth({ ...EXAMPLES[parcels].state, facts: JSON.stringify({ ...rest, rates: added }) });
  await page.getByRole("button", { name: "invented amounts" }).click();
  await hasTotals(page, baht(cost.order.grandTotal));
  assert.deepEqual(problems, []);
});

test("as many as an order may list are added at once", async (t) => {
  const { page } = await openPlayground(t);
  const length = allAtNight(500, 5_000);
  const productList = Array.from({ length }, (_, index) => ({ cprcode: 1_000_000 + index, productName: "x", quantity: 1 }));
  await write(page, "order", JSON.stringify({ productList }));
  await shows(page, `Not in the facts: price 1000000/1000, price 1000001/1000, price 1000002/1000 and ${length - 3} more.`);
  await page.getByRole("button", { name: "Add them with invented amounts" }).click();
  await hasTotals(page, baht(100 * length));
});

test("an example that replaces one's own order leaves a way back", async (t) => {
  const { page } = await openPlayground(t);
  await write(page, "order", '{"productList": [{"cprcode": 420010, "productName": "x", "quantity": 2}]}');
  await hasTotals(page, baht(179));
  await page.locator(CHOICE).selectOption("1");
  await page.locator("#play-text-order", { hasText: "A-1002" }).waitFor();
  await page.locator(CHOICE).selectOption("2");
  const back = page.getByRole("button", { name: "Back to your own order" });
  await page.locator("#play-text-order").click();
  await page.keyboard.type(" ");
  await back.click();
  await hasTotals(page, baht(179));
  assert.equal(await back.count(), 0);
  await page.locator(CHOICE).selectOption("1");
  await page.locator(CHOICE).selectOption("Your own");
  await hasTotals(page, baht(179));
});

/** The list takes no key for a moment, so that it does not get one that was meant for the text. */
async function accept(page) {
  const ready = page.locator(".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)");
  await ready.waitFor();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await ready.waitFor();
  await page.keyboard.press("Enter");
}

test("completion offers keys, values, and what the facts know; Tab leaves the editor", async (t) => {
  const { page } = await openPlayground(t);
  const offered = page.locator(".cm-tooltip-autocomplete li");
  await write(page, "order", "{}");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await offered.filter({ hasText: "productList" }).waitFor();
  assert.equal(await offered.first().textContent(), "productListrequired");
  await page.keyboard.press("Escape");
  await page.keyboard.type('"ship');
  await page.locator(".cm-tooltip-autocomplete [aria-selected]", { hasText: "shipping" }).waitFor();
  await shows(page, "How the order is delivered.");
  await accept(page);
  await page.keyboard.type('"shippingT');
  await page.locator(".cm-tooltip-autocomplete [aria-selected]", { hasText: "shippingType" }).waitFor();
  await accept(page);
  await offered.filter({ hasText: "DELIVERY" }).waitFor();
  await accept(page);
  assert.equal(await page.locator("#play-text-order").textContent(), '{"shipping": { "shippingType": "DELIVERY" }}');

  await write(page, "order", '{"productList": [{"cprcode": 1');
  await page.keyboard.press("Control+Space");
  await offered.filter({ hasText: "110018231 THB" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".cm-editor")), null);
});

test("a policy changes the total as the package says", async (t) => {
  const { page } = await openPlayground(t);
  const { state } = EXAMPLES[exampleNamed("policies")];
  await page.locator(CHOICE).selectOption(`${exampleNamed("policies")}`);
  await tab(page, "Policies");
  for (const [name, value] of [
    ["freeShipping", "waivesDelivery"],
    ["foldedDiscounts", "percentage"],
    ["rowTotal", "list"],
  ]) {
    await page.getByLabel(name, { exact: true }).selectOption(value);
    const { order } = await truth(state, { [name]: value });
    await hasTotals(page, baht(order.grandTotal));
    await page.getByRole("button", { name: "Back to the defaults" }).click();
  }
  await hasTotals(page, baht((await truth(state)).order.grandTotal));
});

test("two sets of policies, and two versions of facts, are compared field by field", async (t) => {
  const { page } = await openPlayground(t);
  const index = exampleNamed("policies");
  await page.locator(CHOICE).selectOption(`${index}`);
  await page.getByRole("switch", { name: "Compare two versions" }).click();
  await shows(page, "A and B are the same so far.");
  await page.getByLabel("freeShipping, B", { exact: true }).selectOption("waivesDelivery");
  const [{ order: one }, { order: other }] = [
    await truth(EXAMPLES[index].state),
    await truth(EXAMPLES[index].state, { freeShipping: "waivesDelivery" }),
  ];
  await hasTotals(page, baht(one.grandTotal), baht(other.grandTotal), baht(other.grandTotal - one.grandTotal));
  await page
    .getByRole("row", { name: `grandTotal ${one.grandTotal} ${other.grandTotal}` })
    .first()
    .waitFor();
  await page.getByText("freeShipping: asStated → waivesDelivery").waitFor();

  await page.getByLabel("freeShipping, B", { exact: true }).selectOption("asStated");
  await tab(page, "Order");
  await write(page, "order", '{"productList": [{"cprcode": 1, "productName": "x", "quantity": 2}]}');
  await shows(page, "Neither has a price, both for the same reason.");
  await tab(page, "Facts of B");
  await write(page, "other", '{"prices": {"1": {"price": 7}}}');
  await hasTotals(page, "No price", baht(14));
  await page.getByRole("tab", { name: "Facts", exact: true }).click();
  await write(page, "facts", '{"prices": {"1": {"price": 5}}}');
  await hasTotals(page, baht(10), baht(14), `+${baht(4)}`);
  await tab(page, "Waterfall");
  await page.getByRole("button", { name: "B", exact: true }).click();
  await shows(page, "Product 1: 2 × ฿7.00 = ฿14.00.");
  await page.getByRole("switch", { name: "Compare two versions" }).click();
  await hasTotals(page, baht(10));
});

test("what is too big gives a sentence", async (t) => {
  const { page, problems } = await openPlayground(t);
  await write(page, "order", `{"productList": [], "basketName": "${"ก".repeat(400_000)}"}`);
  await shows(page, "The order has more than 1,048,576 bytes, the most that this page prices.");
  await page.locator(CHOICE).selectOption("0");
  await hasTotals(page, baht((await truth(EXAMPLES[0].state)).order.grandTotal));
  assert.deepEqual(problems, []);
});

const OPPOSITES = [
  [PHONE, "dark"],
  [DESKTOP, "light"],
];
const ALL = [PHONE, DESKTOP].flatMap((viewport) => ["light", "dark"].map((colorScheme) => [viewport, colorScheme]));

for (const [viewport, colorScheme] of allAtNight(OPPOSITES, ALL)) {
  test(`${viewport.width} px, ${colorScheme}: every state fits and is accessible`, async (t) => {
    const { page, problems } = await openPlayground(t, { viewport, colorScheme, reducedMotion: "reduce" });
    let states = OPPOSITES.findIndex(([size]) => size === viewport);
    // In a change axe sees each state in one of the two looks, in turn.
    const check = (state) => isAccessible(page, state, allAtNight((states += 1) % 2 === 0, true));
    await page.locator("summary", { hasText: "steps that move no money" }).click();
    await check("first");
    for (const name of ["Answer", "Questions", "Facts", "Policies"]) {
      await tab(page, name);
      await check(name);
    }
    await page.getByRole("switch", { name: "Compare two versions" }).click();
    await page.getByLabel("expressSurcharge, B", { exact: true }).selectOption("anyExpress");
    await page.getByLabel("rowTotal, B", { exact: true }).selectOption("list");
    await page.locator(".play-differences").waitFor();
    await check("comparison");
    await tab(page, "Order");
    await page.locator(CHOICE).selectOption(`${exampleNamed("faults")}`);
    await page.locator(".play-faults li:visible").first().waitFor();
    await check("faults");
    await page.locator("#play-text-order").click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type(', "');
    await page.locator(".cm-tooltip-autocomplete").waitFor();
    await check("completion");
    assert.deepEqual(problems, []);
  });
}
