// `order-cost verify --suggest` finds the statements of the specification that an old service follows, from its answers alone.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { before, test } from "node:test";
import { DEFAULT_POLICY, POLICIES } from "../../pkg/core/policies.js";
import { allAtNight, cases, someOf } from "../effort.js";
import { hostFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";
import { price } from "../model/price.js";
import { file, path, run } from "../package/command.js";
import { replay } from "../package/replay.js";
import { DIFFERENCES } from "./double/differences.js";
import { captured, priced } from "./exchange.js";
import { shopCase, shopOrder, zones } from "./shop-orders.js";

const ORDERS = allAtNight(25, Math.min(cases(45), 200));
/** One statement at a time shows in fewer orders, too. */
const ORDERS_OF_ONE = Math.min(cases(12), ORDERS);

/** The differences that are a statement of the specification, each with the policies that follow it. */
const STATEMENTS = Object.entries(DIFFERENCES)
  .filter(([, { policy }]) => policy)
  .map(([name, { policy, after }]) => ({ name, policy: { ...DIFFERENCES[after]?.policy, ...policy } }));

/** Together they say something of each policy: the last of those about one field. */
const ALL = Object.assign({}, ...STATEMENTS.map(({ policy }) => policy));

let shop;
/** What the new side answers to them without a policy. */
let plain;
before(async () => {
  shop = Array.from({ length: ORDERS }, (_, index) => shopCase(shopOrder(index + 1)));
  plain = await newAnswers(shop, {});
});

const line = (answer) => `${answer.replaceAll("\n", " ")}\n`;

/** The answer of an old service that follows these policies. */
function oldAnswer(testCase, policy) {
  const { text, error } = price({ ...testCase, options: { policy } });
  return text ?? JSON.stringify({ error });
}

async function newAnswers(orders, policy) {
  const lines = [];
  for (const testCase of orders) {
    const { text, error } = await replay({ ...testCase, options: { policy } }, bodyBytes(testCase));
    lines.push(line(text ?? JSON.stringify({ error })));
  }
  return lines;
}

/** The policy that the command suggests, and how many orders differ with it and without. */
async function suggested(count, policy) {
  const orders = shop.slice(0, count);
  const old = file("old.ndjson", orders.map((testCase) => line(oldAnswer(testCase, policy))).join(""));
  const { code, stdout, stderr } = await run([
    "verify",
    old,
    file("new.ndjson", plain.slice(0, count).join("")),
    "--suggest",
    "--format",
    "json",
  ]);
  assert.notEqual(code, 2, stderr);
  const { suggestion, different } = JSON.parse(stdout);
  assert.equal(suggestion.before, different);
  const repriced = file("repriced.ndjson", (await newAnswers(orders, suggestion.policy)).join(""));
  const again = await run(["verify", old, repriced, "--format", "json"]);
  return { suggestion, again: { code: again.code, different: JSON.parse(again.stdout).different } };
}

// The next test has the last of each field each day.
for (const { name, policy } of someOf(STATEMENTS)) {
  test(`${name}: ${DIFFERENCES[name].what}`, async () => {
    const { suggestion, again } = await suggested(ORDERS_OF_ONE, policy);
    assert.deepEqual(suggestion.policy, { ...DEFAULT_POLICY, ...policy });
    assert.ok(suggestion.before > 0);
    assert.deepEqual([suggestion.different, again], [0, { code: 0, different: 0 }]);
  });
}

test(`all at once, from ${ORDERS} orders`, async (context) => {
  const { suggestion, again } = await suggested(ORDERS, ALL);
  assert.deepEqual(suggestion.policy, { ...DEFAULT_POLICY, ...ALL });
  assert.deepEqual([suggestion.different, again], [0, { code: 0, different: 0 }]);
  context.diagnostic(`${suggestion.before} of ${suggestion.orders} orders differ, 0 with the suggestion`);
});

/** A file of captures that were priced by a policy, with the answers of an old service that follows another one. */
async function capturesOf(orders, policy, olds) {
  const zonesText = JSON.stringify(zones);
  const captures = [];
  for (const testCase of orders) {
    const { answer, facts, isRepeatable } = await priced(bodyBytes(testCase), hostFor(testCase).host, { policy, deliveryZones: zonesText });
    if (!isRepeatable) continue;
    const order = new TextDecoder().decode(bodyBytes(testCase));
    const legacy = { status: answer.status, text: oldAnswer(testCase, olds) };
    captures.push(await captured({ order, answer, facts, legacy, policy, limits: { maxBodyBytes: 1_048_576 }, zones: zonesText }));
  }
  mkdirSync(path("zones"), { recursive: true });
  file("zones/hash", zonesText);
  return file("captures.ndjson", `${captures.filter(Boolean).join("\n")}\n`);
}

test("from captures, where a part of the policies is set already", async () => {
  const own = { rowTotal: "list", expressSurcharge: "firstExpress" };
  const olds = { rowTotal: "list", subTotal: "rowTotals", settlementPrice: "record", expressSurcharge: "anyExpress" };
  const { code, stdout, stderr } = await run(["replay", await capturesOf(shop, own, olds), "--against", "legacy", "--suggest"]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /\n {2}option {6}policy: \{ rowTotal: "list", expressSurcharge: "anyExpress", subTotal: "rowTotals", settlementPrice: "record" \}\n/,
  );
  assert.match(stdout, /\n {2}variables {3}ROW_TOTAL=list EXPRESS_SURCHARGE=anyExpress SUB_TOTAL=rowTotals SETTLEMENT_PRICE=record\n/);
});

test("what goes back to its default is named, too", async () => {
  const { stdout } = await run([
    "replay",
    await capturesOf(shop, { settlementPrice: "rowTotal", rowTotal: "list" }, {}),
    "--against",
    "legacy",
    "--suggest",
  ]);
  assert.match(stdout, /\n {2}variables {3}ROW_TOTAL=effective SETTLEMENT_PRICE=recordOrRowTotal\n/);
});

/** Sets of policies that lie far apart: every hundredth or so, in an order in which neighbours differ. */
const spread = (count) => Array.from({ length: count }, (_, index) => EVERY_POLICY[(index * 485 + 7) % EVERY_POLICY.length]);
const EVERY_POLICY = Object.entries(POLICIES).reduce(
  (sets, [name, { values }]) => sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value }))),
  [{}],
);
const OLD_SERVICES = spread(8);
/** Each old service answers to orders of its own. */
const ORDERS_OF_EACH = 3;

/** What `--suggest` names, and what comes out when it is applied. */
async function applied(args, apply) {
  const { code, stdout, stderr } = await run([...args, "--suggest", "--format", "json"]);
  assert.notEqual(code, 2, stderr);
  const { suggestion, different } = JSON.parse(stdout);
  // No policy: the right side stays what it is.
  const again =
    suggestion.policy === null ? { different } : JSON.parse((await run([...(await apply(suggestion.policy)), "--format", "json"])).stdout);
  return { suggestion, different, again: again.different };
}

const EVERY_START = spread(allAtNight(3, EVERY_POLICY.length));

test(`what it suggests, applied, gives the count that it names: over eight old services, from ${EVERY_START.length} policies of the right side`, async (context) => {
  let best = 0;
  const olds = OLD_SERVICES.map((policy, index) => {
    const orders = shop.slice(index * ORDERS_OF_EACH, (index + 1) * ORDERS_OF_EACH);
    return { policy, orders, answers: orders.map((testCase) => line(oldAnswer(testCase, policy))).join("") };
  });
  for (const start of EVERY_START) {
    for (const { policy: old, orders, answers } of olds) {
      const left = file("old.ndjson", answers);
      const compared = async (policy) => ["verify", left, file("new.ndjson", (await newAnswers(orders, policy)).join(""))];
      const replayed = async (policy) => ["replay", await capturesOf(orders, policy, old), "--against", "legacy"];
      const fromAnswers = await applied(await compared(start), compared);
      const fromCaptures = await applied(await replayed(start), replayed);
      for (const [what, { suggestion, different, again }] of Object.entries({ fromAnswers, fromCaptures })) {
        const told = [suggestion.before, suggestion.different];
        assert.deepEqual(told, [different, again], `${what}: ${JSON.stringify({ start, old, suggestion })}`);
        assert.ok(suggestion.different <= suggestion.before);
      }
      // Captures have all facts: some policy makes every order the same.
      assert.equal(fromCaptures.suggestion.different, 0);
      best += fromAnswers.suggestion.different === 0;
    }
  }
  context.diagnostic(`from answers alone ${best} of ${EVERY_START.length * olds.length} came to 0 orders that differ`);
});
