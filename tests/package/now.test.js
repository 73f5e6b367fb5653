// `calculateNow`: an order that needs no host is priced at once.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { createPricer as createCalculating } from "order-cost/calculate";
import { createCatalogue } from "order-cost/catalogue";
import { allAtNight, cases, SEED, someOf } from "../effort.js";
import { readCorpus } from "../golden/corpus.mjs";
import { hostFor, optionsFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";
import { LOOKUP_CODES } from "../model/fault.js";
import { generate } from "../model/generate.js";
import { currentText, makeVersion } from "../worker/catalogue.js";
import { deliveredBy, squareZones } from "../zones.js";
import { errorOf, thrown } from "./errors.js";

const LENDING = Symbol.for("order-cost.lending");
const OBSERVING = Symbol.for("order-cost.observing");

const decoder = new TextDecoder();
const factsOf = ({ message, code, path, retryable, subject }) => ({ message, code, path, retryable, subject });
const outcome = (run) => Promise.resolve().then(run).catch(factsOf);
const product = (cprcode) => ({ cprcode, productName: "น้ำปลา", quantity: 2 });
const orderOf = (codes, more) => ({ productList: codes.map(product), ...more });

/** A host that must not be asked, and zones. */
const refuse = () => assert.fail("nobody may be asked");
const SILENT = Object.fromEntries(Object.keys(LOOKUP_CODES).map((name) => [name, refuse]));
const silent = (options) => createPricer(SILENT, { deliveryZones: refuse, ...options });
const PRICES = { "1/1000": { price: 10 }, "2/1000": null };

/** Errors of an order before its vouchers are asked (D42). */
const FIRST = [
  ...["INVALID_JSON", "VALIDATION_ERROR", "LIMIT_EXCEEDED", "PRODUCT_PRICE_NOT_FOUND"],
  ...["BRANCH_NOT_AVAILABLE", "BRANCH_NOT_IN_POLYGON", "NATIONWIDE_RATE_NOT_FOUND"],
];

/** Prices a case with its host, which tells a store all that it may, and then from that store alone: both agree. */
async function assertSame(testCase, create) {
  const { host, calls } = hostFor(testCase);
  const pricer = await create(host, optionsFor(testCase));
  const facts = pricer.facts();
  const body = bodyBytes(testCase);
  const asked = await outcome(async () => decoder.decode(await pricer.calculateJson(body, { facts })));
  const called = new Set(calls.splice(0).map(({ name }) => name));
  const needsVouchers = called.has("lookupVouchers") && !FIRST.includes(asked.code);
  const isOpen = needsVouchers || called.has("validateCoupons") || Object.values(LOOKUP_CODES).includes(asked.code);
  const now = await outcome(() => decoder.decode(pricer.calculateJsonNow(body, { facts })));
  if (isOpen) assert.deepEqual([now.code, now.retryable], ["NOT_KNOWN", false]);
  else assert.deepEqual(now, asked);
  if (testCase.order) {
    const object = await outcome(() => pricer.calculateNow(testCase.order, { facts }));
    if (isOpen) assert.equal(object.code, "NOT_KNOWN");
    else assert.deepEqual(object, await outcome(() => pricer.calculate(testCase.order, { facts })));
  }
  return isOpen;
}

describe("the golden corpus, from facts alone", () => {
  const corpus = readCorpus().filter(({ testCase }) => testCase.expect.zonesError === undefined);
  for (const { file, testCase } of corpus) test(file, () => assertSame(testCase, createPricer));
  for (const { file, testCase } of someOf(corpus)) test(`${file}, order-cost/calculate`, () => assertSame(testCase, createCalculating));
});

test("generated cases, from facts alone", async () => {
  const count = allAtNight(300, cases(1_500));
  let open = 0;
  for (let seed = SEED; seed < SEED + count; seed += 1) open += await assertSame(generate(seed), createPricer);
  assert.ok(open > count / 10 && open < (count * 9) / 10, `${open} of ${count}`);
});

for (const create of [createPricer, createCalculating]) {
  test(`all that is not known is listed, and nobody is asked: ${create === createPricer ? "order-cost" : "order-cost/calculate"}`, async () => {
    const pricer = await create(SILENT, { deliveryZones: refuse });
    const facts = pricer.facts({ prices: PRICES, rates: { "10110/DRY": { deliveryFee: 60 } } });
    const scheduleList = [{ mode: "REGULAR" }, { mode: "NATIONWIDE" }, { mode: "NATIONWIDE", nationwideMode: "MIX" }];
    const order = orderOf([1, 7, 3, 7, 4, 5, 6], {
      voucherId: ["V", "V", "W"],
      couponCodeList: ["ก".repeat(90), "A", '"', "A"],
      shipping: { ...deliveredBy("REGULAR"), shippingPostcode: "10110", scheduleList },
    });
    const notKnown = {
      prices: ["7/1000", "3/1000", "4/1000", "5/1000", "6/1000"],
      rates: ["10110/MIX"],
      deliveryZones: true,
      vouchers: ["V", "W"],
      coupons: ["ก".repeat(90), "A", '"'],
    };
    const message = `Not known: prices 7/1000, 3/1000, 4/1000 and 2 more; rates 10110/MIX; deliveryZones; vouchers V, W; coupons ${"ก".repeat(40)}…, A, "`;
    for (const price of [() => pricer.calculateNow(order, { facts }), () => pricer.calculateJsonNow(JSON.stringify(order), { facts })]) {
      const error = thrown(price);
      assert.deepEqual([error.code, error.message, error.retryable, error.notKnown], ["NOT_KNOWN", message, false, notKnown]);
      assert.deepEqual(error.toProblem().notKnown, notKnown);
    }
    const { coupons } = thrown(() => pricer.calculateNow(orderOf([1], { couponCodeList: ["A"] }), { facts })).notKnown;
    assert.deepEqual(coupons, ["A"], "after all else is known");
    pricer.setDeliveryZones(squareZones(30));
    const { grandTotal } = pricer.calculateNow(orderOf([1], { shipping: deliveredBy("REGULAR") }), { facts });
    assert.equal(grandTotal, 50);
  });
}

test("of a wrong fact and one that is not known, the first counts (D42)", async () => {
  const pricer = await silent();
  const facts = pricer.facts({ prices: PRICES });
  assert.equal(thrown(() => pricer.calculateNow(orderOf([2, 3]), { facts })).code, "PRODUCT_PRICE_NOT_FOUND");
  assert.deepEqual(thrown(() => pricer.calculateNow(orderOf([3, 2]), { facts })).notKnown, { prices: ["3/1000"] });
  assert.equal(thrown(() => pricer.calculateNow(orderOf([2, 3], { branchId: 7 }), { facts })).code, "VALIDATION_ERROR");
});

test("what is too old is not known", async () => {
  const pricer = await silent();
  const facts = pricer.facts({ prices: PRICES, at: { prices: { "1/1000": 0 } } }, { maxAgeMs: 60_000 });
  assert.deepEqual(thrown(() => pricer.calculateNow(orderOf([1]), { facts })).notKnown, { prices: ["1/1000"] });
});

test("options are checked as in calculate", async () => {
  const [pricer, other] = await Promise.all([silent(), silent()]);
  const facts = pricer.facts({ prices: PRICES });
  const reason = new Error("enough");
  for (const call of [
    { fact: facts },
    { facts: other.facts() },
    { facts, signal: {} },
    { facts, signal: AbortSignal.abort(reason) },
    { facts, input: "loose" },
    { facts, requestId: "r1", input: "strict", context: {}, signal: new AbortController().signal },
    new Map(),
  ]) {
    const order = orderOf([1]);
    const [asked, now] = [await outcome(() => pricer.calculate(order, call)), await outcome(() => pricer.calculateNow(order, call))];
    assert.deepEqual(now, asked);
  }
  const error = thrown(() => pricer.calculateNow(orderOf([9]), { facts, requestId: "r1" }));
  assert.equal(error.requestId, "r1");
  const abortion = thrown(() => pricer.calculateJsonNow("{}", { signal: AbortSignal.abort(reason) }));
  assert.deepEqual([abortion.code, abortion.cause], ["ABORTED", reason]);
  const lenient = orderOf([1], { branchId: 1000 });
  assert.equal(pricer.calculateNow(lenient, { facts, input: "lenient" }).branchId, "1000");
});

/** A pricer of a catalogue whose prices are in memory. */
async function stocked() {
  const texts = await makeVersion({ "1/1000": '{"price":5}', "2/1000": '{"price":0.1}', "3/1000": '{"price":"7"}' }, null, {
    shardCount: 1,
  });
  const read = (names) => new Map(names.map((name) => [name, name === "current" ? currentText(texts) : texts.texts[name]]));
  const { lookupPrices } = await createCatalogue({ read, refreshMs: 0, maxAgeMs: 0 }).version();
  const pricer = await createPricer({ lookupPrices });
  assert.deepEqual(thrown(() => pricer.calculateNow(orderOf([1, 2]))).notKnown, { prices: ["1/1000", "2/1000"] });
  await pricer.calculate(orderOf([1]));
  return pricer;
}

test("a catalogue's prices in memory are known, and nobody is told of them: a page may render with it", async () => {
  const pricer = await stocked();
  const facts = pricer.facts({ prices: { "1/1000": { price: 5 } } });
  const basket = await pricer.basket({ ...orderOf([1]), branchId: "1000" }, { facts });
  await basket.settle();
  const heard = [];
  basket.subscribe(({ totals }) => heard.push(totals));
  heard.length = 0; // the snapshot that a subscriber gets at once
  assert.equal(pricer.calculateNow(orderOf([1, 2]), { facts }).grandTotal, 10.2);
  assert.deepEqual([Object.keys(facts.toJSON().prices), heard], [["1/1000"], []]);
  basket.free();
  assert.equal(thrown(() => pricer.calculateNow(orderOf([2, 9]))).code, "PRODUCT_PRICE_NOT_FOUND");
  const wrong = [await errorOf(pricer.calculate(orderOf([1, 3]))), thrown(() => pricer.calculateNow(orderOf([1, 3])))];
  assert.deepEqual(factsOf(wrong[1]), factsOf(wrong[0]));
  assert.equal(thrown(() => pricer.calculateNow(orderOf([2], { voucherId: ["V"] }), { facts })).code, "NOT_KNOWN");
  assert.deepEqual(Object.keys(facts.toJSON().prices), ["1/1000"], "nor of an order that is not priced");
});

test("the service is lent the response at once, and observes", async () => {
  const pricer = await stocked();
  const body = JSON.stringify(orderOf([1, 2, 1]));
  const seen = [];
  const watch = { count: (counts) => seen.push([...counts]), ask: (name) => seen.push(name), answer: (name) => seen.push(name) };
  const lend = pricer.calculateJson[LENDING];
  const text = lend.call(pricer, body, { [OBSERVING]: watch }, (view) => decoder.decode(view));
  assert.equal(text, decoder.decode(await pricer.calculateJson(body)));
  assert.deepEqual(seen, ["lookupPrices", "lookupPrices", [3, 0, 0, 0]]);
  const broken = thrown(() => lend.call(pricer, body, undefined, () => assert.fail("no")));
  assert.equal(broken.code, "INTERNAL");
  assert.equal(
    lend.call(pricer, body, undefined, ({ length }) => length),
    text.length + 2 * 3 * "น้ำปลา".length,
  );
});

test("inside a host's function it prices, but not deeper than calculate", async () => {
  const codes = new Set();
  const pricer = await createPricer({
    async lookupPrices(keys) {
      const facts = pricer.facts({ prices: PRICES });
      codes.add(await outcome(() => pricer.calculateNow(orderOf([1]), { facts }).grandTotal).then((found) => found.code ?? found));
      return keys.map(() => ({ price: 1 }));
    },
    lookupVouchers(ids) {
      const facts = pricer.facts({ prices: PRICES });
      codes.add(nested(() => pricer.calculateNow(orderOf([1]), { facts }).grandTotal));
      pricer.calculate(orderOf([1], { voucherId: ids })).catch(() => {});
      return ids.map(() => null);
    },
  });
  await outcome(() => pricer.calculate(orderOf([1], { voucherId: ["V"] })));
  assert.deepEqual([...codes].sort(), [20, "A host function nested calculations more than 32 deep"]);
});

function nested(run) {
  try {
    return run();
  } catch ({ message }) {
    return message;
  }
}
