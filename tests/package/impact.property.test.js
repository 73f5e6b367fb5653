// `order-cost impact` beside a naive recomputation: random orders, prices, zones, policies and packages. The money by cause
// adds up to the differences, exactly, and each stage is what the naive model says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { POLICIES } from "../../pkg/core/policies.js";
import { absolute, add, decimal, decimalText, multiply, subtract } from "../../pkg/shared/decimal.js";
import { readExact } from "../../pkg/shared/exact-json.js";
import fc, { allAtNight, cases } from "../property.js";
import { collection, deliveredBy, squareZones } from "../zones.js";
import { file, path, run } from "./command.js";
import { answerTo, captureOf, totalIn, writeCatalogue, writeZones } from "./impact-case.js";

const CODES = [1, 2, 3, 4];
const CAUSES = ["package", "policy", "zones", "prices"];
const NOTHING = decimal("0");
const VOUCHERS = { V: { voucherId: "V", ownerId: "o", value: 7.5, isActive: true, isUsed: false } };
const COUPONS = { discounts: [{ coupon: "A", discount: 12.25, freeshipping: true, shippingDiscount: 20 }], failedCoupons: [] };

const amount = fc.oneof(
  fc.integer({ min: 0, max: 99_999 }).map((satang) => satang / 100),
  fc.constantFrom("0.0000000000000000001", "12.345678901234567", "1e2", "79228162514264337593543950335"),
);
const record = (price) => `{"price":${price},"originalPrice":150}`;
const pricesOf = (arbitrary) =>
  fc.tuple(...CODES.map(() => arbitrary)).map((prices) => Object.fromEntries(CODES.map((code, index) => [code, prices[index]])));

const policy = fc.record(Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [name, fc.constantFrom(...values)])), {
  requiredKeys: [],
});
const shipping = fc.option(
  fc.array(fc.constantFrom("REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"), { maxLength: 3 }).map((modes) => deliveredBy(...modes)),
);
const order = fc.record({
  productList: fc.array(
    fc.record({
      cprcode: fc.constantFrom(...CODES),
      productName: fc.constantFrom("a", '"price":9,'),
      quantity: fc.integer({ min: -1, max: 5 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  ownerId: fc.constant("o"),
  couponCodeList: fc.constantFrom([], [], ["A"]),
  voucherId: fc.constantFrom([], ["V"]),
  shipping,
});

/**
 * What another package would have answered: the same; another total; a price where the facts have none.
 */
const past = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "same" }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("other"), total: amount }) },
  { weight: 1, arbitrary: fc.constant({ kind: "lost" }) },
);
const captured = fc.record({ order, policy, past, hasZones: fc.boolean() });

const world = fc.record({
  old: pricesOf(fc.option(amount, { freq: 8 })),
  next: fc.option(pricesOf(fc.option(amount, { freq: 8 })), { freq: 5 }),
  keeps: fc.subarray(CODES),
  oldFee: fc.constantFrom(30, 40.5),
  zones: fc.constantFrom(undefined, squareZones(30), squareZones(55.55), squareZones(20, 2000)),
  policy: fc.option(policy),
  captures: fc.array(captured, { minLength: 1, maxLength: 10 }),
});

let runs = 0;

test("causes add up to the differences, and every stage is the naive model's", async () => {
  await fc.assert(fc.asyncProperty(world, checkWorld), { numRuns: allAtNight(5, cases(12)) });
});

async function checkWorld({ old, next, keeps, oldFee, zones, policy, captures }) {
  const name = `world-${(runs += 1)}`;
  const oldZones = squareZones(oldFee);
  const hash = await writeZones(name, oldZones);
  const prices = recordsOf(old);
  const newPrices = next && { ...recordsOf(next), ...Object.fromEntries(keeps.map((code) => [`${code}/1000`, prices[`${code}/1000`]])) };
  if (newPrices) for (const [key, text] of Object.entries(newPrices)) if (text === null) delete newPrices[key];

  const cases = captures.map(({ order, policy, past, hasZones }) => ({
    order,
    policy,
    past,
    zones: hasZones ? oldZones : undefined,
    zonesHash: hasZones ? hash : null,
  }));
  const facts = { prices, rates: { DRY: { deliveryFee: 80 } }, vouchers: VOUCHERS, coupons: COUPONS };
  const texts = cases.map((one, index) => textOf(`r-${index}`, one, facts));
  file(`${name}/orders.ndjson`, texts.join("\n"));

  const args = [];
  let catalogueZones;
  if (newPrices) {
    await writeCatalogue(`${name}-new`, newPrices, zones);
    args.push("--catalogue", `${name}-new`);
    catalogueZones = zones ?? NO_ZONES;
  } else if (zones) args.push("--zones", file(`${name}.geojson`, zones));
  const rules = Object.entries(policy ?? {}).map(([rule, value]) => `${rule}=${value}`);
  if (rules.length > 0) args.push("--policy", ...rules);

  const change = { policy, zones: newPrices ? catalogueZones : zones, prices: newPrices };
  const expected = naiveReport(texts, cases, facts, change);
  const { code, stdout, stderr } = await run(["impact", `${name}/orders.ndjson`, ...args, "--format", "json"]);
  if (expected.captured.orders === 0) return assert.equal(code, 2, stdout);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout);
  const sum = report.causes.reduce((total, { net }) => add(total, decimal(net)), NOTHING);
  assert.equal(decimalText(sum), report.net);
  const found = Object.fromEntries(Object.keys(expected).map((key) => [key, report[key]]));
  found.causes = report.causes.map(({ kind, ...cause }) => cause);
  found.wouldFail = { ...report.wouldFail, codes: report.wouldFail.codes.map(({ first, ...failure }) => failure).sort(byCode) };
  found.largest = report.largest.map(({ requestId, change }) => [requestId, change]).sort();
  found.products = report.products.map(({ cprcode, net }) => [cprcode, net]).sort();
  assert.deepEqual(found, expected, path(name));
}

const NO_ZONES = collection();

const recordsOf = (prices) =>
  Object.fromEntries(CODES.map((code) => [`${code}/1000`, prices[code] === null ? null : record(prices[code])]));

/** A capture, as another package has answered it. */
function textOf(requestId, { past, ...one }, facts) {
  const all = { ...facts, prices: Object.fromEntries(CODES.map((code) => [`${code}/1000`, facts.prices[`${code}/1000`] ?? record(5)])) };
  if (past.kind === "lost") {
    // It has priced what this package finds no price for.
    const { status, text } = answerTo({ ...one, facts: all });
    return captureOf(requestId, { ...one, facts }).replace(/"new":.*$/, () => `"new":{"status":${status},"body":${text}}}`);
  }
  const change = past.kind === "other" ? (text) => text.replace(/"grandTotal":[\d.]+/g, `"grandTotal":${past.total}`) : undefined;
  return captureOf(requestId, { ...one, facts }, change);
}

/** The same report, by the naive model: every stage of every order, one after the other. */
function naiveReport(texts, cases, facts, change) {
  const causes = CAUSES.map((cause) => ({ cause, up: [], down: [] }));
  const found = { up: [], down: [], fails: [], priced: [], open: [], captured: [], largest: [], stillFailing: 0 };
  const products = new Map();
  for (const [index, one] of cases.entries()) {
    const before = capturedIn(texts[index]);
    const stages = stagesOf(one, facts, change);
    const last = stages.at(-1);
    if (before.total === undefined) {
      if (last.status === 200) found.priced.push(decimal(totalIn(last.text)));
      else found.stillFailing += 1;
      continue;
    }
    found.captured.push(before.total);
    if (last.status !== 200) {
      const at = stages.findLastIndex(({ status }) => status === 200) + 1;
      found.fails.push({ code: stages[at].code, cause: CAUSES[at], total: before.total });
      continue;
    }
    let total = before.total;
    for (const [stage, { status, text }] of stages.entries()) {
      if (status !== 200) continue;
      count(causes[stage], subtract(decimal(totalIn(text)), total));
      total = decimal(totalIn(text));
    }
    const delta = subtract(total, before.total);
    count(found, delta);
    if (delta.digits !== 0n) found.largest.push([`r-${index}`, decimalText(delta)]);
    if (last.couponRequest && before.request && !isDeepStrictEqual(before.request, JSON.parse(JSON.stringify(last.couponRequest))))
      found.open.push(before.coupons);
    for (const [code, amount] of productsIn(last.text)) addTo(products, code, amount);
    for (const [code, amount] of productsIn(before.text)) addTo(products, code, subtract(NOTHING, amount));
  }
  const counted = (list) => ({ orders: list.length, baht: sum(list) });
  const net = (up, down) => decimalText(subtract(total(up), total(down)));
  return {
    captured: counted(found.captured),
    up: counted(found.up),
    down: counted(found.down),
    net: net(found.up, found.down),
    causes: causes.map(({ cause, up, down }) => ({ cause, up: counted(up), down: counted(down), net: net(up, down) })),
    wouldFail: { ...counted(found.fails.map((failure) => failure.total)), codes: failuresIn(found.fails) },
    newlyPriced: counted(found.priced),
    stillFailing: found.stillFailing,
    open: counted(found.open),
    largest: found.largest.sort(),
    moved: decimalText(add(add(total(found.up), total(found.down)), total(found.fails.map((failure) => failure.total)))),
    products: [...products]
      .filter(([, amount]) => amount.digits !== 0n)
      .map(([code, amount]) => [code, decimalText(amount)])
      .sort(),
  };
}

function stagesOf({ order, policy, zones }, facts, change) {
  const first = { order, policy, zones, facts };
  const second = { ...first, policy: { ...policy, ...change.policy } };
  const third = { ...second, zones: change.zones ?? zones };
  const fourth = { ...third, facts: { ...facts, prices: change.prices ?? facts.prices } };
  return [first, second, third, fourth].map(answerTo);
}

function capturedIn(text) {
  const { new: side, facts } = JSON.parse(text);
  const body = text.slice(text.indexOf(`"new":{"status":${side.status},"body":`) + `"new":{"status":${side.status},"body":`.length, -2);
  if (side.status !== 200) return {};
  const of = (name) => decimal(new RegExp(`"${name}":(-?[\\d.]+)`).exec(body)[1]);
  const total = decimal(totalIn(body.replace(/"grandTotal":1e2/g, '"grandTotal":100')));
  const without = subtract(add(add(of("subTotal"), of("deliveryFee")), of("expressShippingCost")), of("voucherDiscount"));
  const coupons = subtract(without, total);
  return { total, text: body, coupons: coupons.digits > 0n ? coupons : NOTHING, request: facts.coupons[0].request };
}

function* productsIn(text) {
  for (const row of readExact(text).sproductList) {
    const [price, quantity] = [row.sprice, row.squantity].map((value) => decimal(value.slice(1)));
    yield [row.scprcode.slice(1), quantity.digits > 0n ? multiply(price, quantity) : NOTHING];
  }
}

function addTo(map, key, amount) {
  map.set(key, add(map.get(key) ?? NOTHING, amount));
}

function count({ up, down }, delta) {
  if (delta.digits > 0n) up.push(delta);
  if (delta.digits < 0n) down.push(absolute(delta));
}

function failuresIn(fails) {
  const groups = new Map();
  for (const { code, cause, total } of fails) {
    const key = `${code} ${cause}`;
    const { orders, baht } = groups.get(key) ?? { orders: 0, baht: NOTHING };
    groups.set(key, { code, cause, orders: orders + 1, baht: add(baht, total) });
  }
  return [...groups.values()].map((group) => ({ ...group, baht: decimalText(group.baht) })).sort(byCode);
}

const byCode = (a, b) => (`${a.code} ${a.cause}` < `${b.code} ${b.cause}` ? -1 : 1);

const total = (list) => list.reduce(add, NOTHING);

const sum = (list) => decimalText(total(list));
