// Every difference that the legacy double makes is found by `order-cost verify`, counted exactly, and named by the
// decision that explains it.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { cases, someOf } from "../effort.js";
import { bodyBytes } from "../model/body.js";
import { add, decimalText, isNegative, parseDecimal, subtract, ZERO } from "../model/decimal.js";
import { addCoupons, addVouchers, draftCase } from "../model/generator/draft.js";
import { randomFrom } from "../model/generator/random.js";
import { writeJson } from "../model/generator/text.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { member, readJson } from "../model/json.js";
import { file, run } from "../package/command.js";
import { replay } from "../package/replay.js";
import { DIFFERENCES } from "./double/differences.js";
import { legacyAnswer, plainAnswer } from "./double/legacy.js";
import { chosen, readWanted } from "./double/wanted.js";
import { shopCase, shopOrder } from "./shop-orders.js";

/** In none of so many does a settlement price lie within a few satang of rowTotal, which a report leaves unexplained. */
const ORDERS = Math.min(cases(50), 300);
/** Some differences, and most failures, are rare. */
const SHOP_ORDERS = cases(200);
const PRICED_ONLY = Object.keys(DIFFERENCES).filter((name) => name !== "errorTexts");
const NO_DIFFERENCE = "keyOrder";

/** Where orders come from. */
const SOURCES = { "orders of the shop": (number) => shop[number - 1], "generated orders": generatedCase };

/**
 * Amounts of any form, odd texts, negative quantities; each order has an id of its own. Coupons take nothing off single
 * rows: the generator takes off more than the discount carries, which no answer shows.
 */
function generatedCase(seed) {
  const random = randomFrom(seed);
  const draft = draftCase(random);
  if (random.chance(0.6)) addCoupons(random, draft);
  draft.host.coupons = withoutLines(draft.host.coupons);
  if (random.chance(0.5)) addVouchers(random, draft);
  const body = writeJson({ ...draft.order, orderId: `order-${seed}` }, random);
  const text = (records) => Object.fromEntries(Object.entries(records).map(([key, record]) => [key, writeJson(record, random)]));
  const { prices, rates, vouchers, coupons } = draft.host;
  const facts = { prices: text(prices), rates: text(rates), vouchers: text(vouchers) };
  return { body, zones: TEST_ZONES, host: coupons === undefined ? facts : { ...facts, coupons: writeJson(coupons, random) } };
}

function withoutLines(coupons) {
  const { lines, ...answer } = coupons ?? {};
  if (!answer.discounts) return coupons && answer;
  return { ...answer, discounts: answer.discounts.map(({ lines: ofRows, ...discount }) => discount) };
}

/** A response a line: what both sides answer to the cases. */
async function answers(cases, differencesOf) {
  const found = [];
  for (const testCase of cases) {
    testCase.plain ??= plainAnswer(testCase);
    testCase.newLine ??= await newLine(testCase);
    const old = legacyAnswer(testCase, differencesOf(testCase), testCase.plain);
    found.push({ old, oldLine: oneLine(old.body), newLine: testCase.newLine });
  }
  return found;
}

async function newLine(testCase) {
  const { text, error } = await replay(testCase, bodyBytes(testCase));
  return oneLine(text ?? JSON.stringify({ error }));
}

/** Opaque JSON passes through with its line breaks. */
const oneLine = (json) => json.replaceAll("\n", " ");

async function verify(found, args = ["--key", "orderId"]) {
  const lines = (name) => `${found.map((one) => one[name]).join("\n")}\n`;
  const sides = [file("old.ndjson", lines("oldLine")), file("new.ndjson", lines("newLine"))];
  const { code, stdout, stderr } = await run(["verify", ...sides, ...args, "--format", "json"]);
  assert.notEqual(code, 2, stderr);
  return { code, ...JSON.parse(stdout) };
}

/** Σ |ΔgrandTotal| of the answers that differ. */
function moneyOf(found) {
  const differing = found.filter(({ oldLine, newLine }) => oldLine !== newLine);
  return decimalText(differing.map(({ oldLine, newLine }) => distance(totalOf(oldLine), totalOf(newLine))).reduce(add, ZERO));
}

const totalOf = (line) => parseDecimal(member(readJson(line), "grandTotal").raw);

function distance(a, b) {
  const difference = subtract(a, b);
  return isNegative(difference) ? subtract(b, a) : difference;
}

let shop;
before(() => {
  shop = Array.from({ length: SHOP_ORDERS }, (_, index) => shopCase(shopOrder(index + 1)));
});

/** The option of a report's policy, and of a difference. */
const optionOf = (policy) => policy?.split(":")[0];
const optionIn = (name) => Object.keys(DIFFERENCES[name].policy ?? {})[0];

/** From this total on, half a satang is the noise of floats. */
const NOISY_TOTAL = 5_000_000;

/** What explains a difference in an answer. */
function reasonFor(name, newLine) {
  if (name === "halfSatang" && Number(decimalText(totalOf(newLine))) >= NOISY_TOTAL) return "D19";
  return optionIn(name) ?? DIFFERENCES[name].decision;
}

/** How many orders each reason explains. */
function count(entries) {
  const counts = {};
  for (const [name, orders] of entries) counts[name] = (counts[name] ?? 0) + orders;
  return counts;
}

for (const [source, caseOf] of Object.entries(SOURCES)) {
  describe(source, () => {
    let cases;
    let plain;
    before(async () => {
      cases = Array.from({ length: ORDERS }, (_, index) => caseOf(index + 1));
      plain = await answers(cases, () => []);
    });

    /** Only a priced order has a key. */
    const priced = (found) => found.filter((_, index) => plain[index].old.status === 200);

    it("without a difference are all the same", async () => {
      const { code, orders, same, explanations } = await verify(priced(plain));
      assert.deepEqual({ code, orders, same, explanations }, { code: 0, orders, same: orders, explanations: [] });
      assert.ok(orders > ORDERS * 0.8);
    });

    for (const name of someOf(PRICED_ONLY.filter((one) => one !== NO_DIFFERENCE))) {
      it(`${name}: ${DIFFERENCES[name].what}`, async () => {
        const found = priced(await answers(cases, () => [name])).filter(({ old }) => old.status === 200);
        const made = found.flatMap(({ old }) => old.made);
        const differing = found.filter(({ old }) => old.made.length > 0);
        const { code, different, unmatched, atStake, explanations } = await verify(found);
        assert.ok(made.includes(name), "no order shows it");
        assert.deepEqual(
          { code, different, unmatched, atStake },
          { code: 1, different: differing.length, unmatched: 0, atStake: moneyOf(found) },
        );
        const counts = count(explanations.map(({ decision, policy, orders }) => [optionOf(policy) ?? decision, orders]));
        const expected = count(found.flatMap(({ old, newLine }) => old.made.map((one) => [reasonFor(one, newLine), 1])));
        for (const [reason, orders] of Object.entries(expected)) assert.equal(counts[reason], orders, reason);
      });
    }

    it("with their keys in another order are the same, and the report says so", async () => {
      const found = priced(await answers(cases, () => [NO_DIFFERENCE]));
      const { code, same, otherKeyOrder } = await verify(found);
      assert.deepEqual({ code, same, otherKeyOrder }, { code: 0, same: found.length, otherKeyOrder: found.length });
    });

    it("with turned rows are the same with --match-rows", async () => {
      const found = priced(await answers(cases, () => ["reorderedRows"]));
      assert.equal((await verify(found, ["--key", "orderId", "--match-rows", "cprcode"])).same, found.length);
    });
  });
}

describe("orders that fail", () => {
  /** Where the text comes from: the order is not valid, a look-up failed, or the specification has a text. */
  const DECISIONS = { VALIDATION_ERROR: "D11", NATIONWIDE_RATE_FAILED: "D41" };

  it("are the same without a difference, beside priced ones", async () => {
    const found = await answers(shop, () => []);
    assert.ok(found.every(({ oldLine, newLine }) => oldLine === newLine));
  });

  it("with other texts are counted, and named by the decision about the text", async () => {
    const found = await answers(shop, () => ["errorTexts"]);
    const expected = {};
    for (const testCase of shop) {
      const { code } = testCase.plain.failure ?? {};
      const decision = DECISIONS[code] ?? "D40";
      if (code) expected[decision] = (expected[decision] ?? 0) + 1;
    }
    const { different, explanations } = await verify(found, []);
    assert.equal(different, found.filter(({ old }) => old.made.includes("errorTexts")).length);
    assert.deepEqual(Object.keys(expected).sort(), ["D11", "D40", "D41"]);
    assert.deepEqual(count(explanations.map(({ decision, orders }) => [decision, orders])), expected);
  });
});

describe("several differences at once, each in a fifth of the orders", () => {
  it("are counted by the decision that explains them", async () => {
    // The first for each decision: two statements of one may cancel each other.
    // Half a satang in a total that moves anyway stands in no line of its own.
    const isApart = (name) => DIFFERENCES[name].after || name === "halfSatang";
    const decisions = PRICED_ONLY.map((name) => (isApart(name) ? null : DIFFERENCES[name].decision));
    const names = PRICED_ONLY.filter((_, index) => decisions[index] && decisions.indexOf(decisions[index]) === index);
    const wanted = readWanted(names.map((name) => `${name}:0.2`).join());
    const all = await answers(shop, ({ order }) => chosen(wanted, JSON.stringify(order)));
    const found = all.filter(({ old }) => old.status === 200);
    const { different, explanations, atStake } = await verify(found);
    assert.equal(different, found.filter(({ old }) => old.made.length > 0).length);
    assert.equal(atStake, moneyOf(found));
    for (const { decision, orders } of explanations) {
      const made = found.filter(({ old }) => old.made.some((name) => DIFFERENCES[name].decision === decision));
      assert.deepEqual({ decision, orders }, { decision, orders: made.length });
    }
    assert.deepEqual(new Set(explanations.map(({ decision }) => decision)), new Set(names.map((name) => DIFFERENCES[name].decision)));
  });
});
