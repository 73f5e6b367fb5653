// A migration from beginning to end, on real workerd: shadow, compare, read the report, replay, switch, go back.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { compareOrders } from "order-cost/compare";
import { main } from "../../pkg/command.js";
import { Collected } from "../collected.js";
import { add, decimalText, isNegative, parseDecimal, subtract, ZERO } from "../model/decimal.js";
import { member, readJson } from "../model/json.js";
import { inParallel, send } from "./client.js";
import { DIFFERENCES } from "./double/differences.js";
import { legacyAnswer, plainAnswer } from "./double/legacy.js";
import { startMigration } from "./migration.js";
import { shopCase, shopOrder } from "./shop-orders.js";

export const CLI = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
const CONNECTIONS = 32;
const NAMES = Object.keys(DIFFERENCES);
const ROUTE = "calculatecost4";
const LOGGED_WITHIN_MS = 120_000;

/** Two versions of the shadow Worker: before the switch, and after it. */
const SHADOWS = { before: { SHADOW_SHARE: "1", SERVE: `${ROUTE}=legacy` }, after: { SHADOW_SHARE: "1", SERVE: `${ROUTE}=new` } };

/**
 * @param {object} options
 * @param {number} options.orders how many
 * @param {string} options.folder an empty one, for the captures and both sides' answers
 * @param {(what: string, done: number, all: number) => void} [options.progress]
 */
export async function walk({ orders, folder, progress = () => {} }) {
  const plan = planOrders(orders, progress);
  const migration = await startMigration({ shadows: SHADOWS });
  try {
    await migration.seed();
    const ask = await asking(migration);
    const watched = await watch(ask, migration, plan, progress);
    await migration.copyCaptures(join(folder, "captures"));
    const switched = await switchOver(ask, plan, progress);
    return { watched, switched, verified: await verify(folder, plan), replayed: await replay(join(folder, "captures"), plan) };
  } finally {
    await migration.stop();
  }
}

/** Sends planned orders to a Worker by its name. */
async function asking(migration) {
  const names = [...Object.keys(SHADOWS), "new"];
  const urls = Object.fromEntries(await Promise.all(names.map(async (name) => [name, `${await migration.url(name)}/${ROUTE}`])));
  return (name, { id, wish, order }) =>
    send(urls[name], { "content-type": "application/json", "x-request-id": id, "x-legacy-differences": wish }, order);
}

/**
 * The orders, and what each side answers to them, as the model says. Every second order meets one difference that shows in
 * it, each in as many orders as fit. No order has two, so counts are exact.
 */
function planOrders(count, progress) {
  const planted = new Map(NAMES.map((name) => [name, 0]));
  return Array.from({ length: count }, (_, index) => {
    progress("plan", index + 1, count);
    const order = shopOrder(index + 1);
    const testCase = shopCase(order);
    const priced = plainAnswer(testCase);
    const plain = { id: `order-${index + 1}`, order, wish: "", priced };
    if (index % 2 === 0) return { ...plain, legacy: { ...priced, made: [] } };
    const names = [...planted].sort(([, a], [, b]) => a - b).map(([name]) => name);
    const found = names.map((wish) => () => ({ wish, legacy: legacyAnswer(testCase, [wish], priced) }));
    const { wish, legacy } = firstOf(found, (one) => one.legacy.made.includes(one.wish));
    planted.set(wish, planted.get(wish) + 1);
    return { ...plain, wish, legacy };
  });
}

function firstOf(makers, isWanted) {
  for (const make of makers) {
    const made = make();
    if (isWanted(made)) return made;
  }
  throw new Error("no difference shows in an order");
}

// Shadow at 100 %: the old service answers, every order is compared

async function watch(ask, migration, plan, progress) {
  const faults = [];
  await inParallel(
    plan,
    CONNECTIONS,
    (done, all) => progress("compare", done, all),
    async (planned) => {
      const [answer, fresh] = await Promise.all([ask("before", planned), ask("new", planned)]);
      Object.assign(planned, { old: answer.body, fresh: fresh.body });
      if (!isLegacy(answer, planned)) faults.push({ id: planned.id, answer, expected: planned.legacy });
      if (!isSame(fresh, planned.priced)) faults.push({ id: planned.id, answer: fresh, expected: planned.priced });
    },
  );
  const lines = await logged(migration, plan.length);
  const byId = new Map(lines.map((line) => [line.requestId, line]));
  const wrongLines = plan
    .map((planned) => ({ line: byId.get(planned.id), expected: lineOf(planned) }))
    .filter(({ line, expected }) => !isLine(line, expected));
  return {
    orders: plan.length,
    faults,
    lines: lines.length,
    wrongLines,
    outcomes: countBy(lines, ({ outcome }) => outcome),
    planted: plantedIn(plan),
  };
}

/** How many orders each difference is in, and by how much it changes their grand totals. */
function plantedIn(plan) {
  return NAMES.map((name) => {
    const orders = plan.filter(({ wish }) => wish === name);
    return { name, ...DIFFERENCES[name], orders: orders.length, atStake: moneyOf(orders) };
  });
}

const isSame = (answer, expected) => answer.status === expected.status && answer.body === expected.body;
const isLegacy = (answer, { legacy }) => isSame(answer, legacy) && answer.headers["x-legacy-differences"] === legacy.made.join();
const isNew = (answer, { priced }) => isSame(answer, priced) && !("x-legacy-differences" in answer.headers);

/** The log's line that the comparison has to write. */
function lineOf({ legacy, priced }) {
  const isPriced = priced.status === 200;
  const differenceCount = compareOrders(legacy.body, priced.body).length;
  const isDifferent = differenceCount > 0 || legacy.status !== priced.status;
  const outcome = !isDifferent ? "same" : isPriced ? "different" : "bothFailed";
  const grandTotalDelta = isPriced ? Number(decimalText(subtract(totalOf(priced.body), totalOf(legacy.body)))) : null;
  return { outcome, differenceCount, grandTotalDelta };
}

/** An order that fails alike on both sides has no total either way. */
function isLine(line, expected) {
  if (!line || line.outcome !== expected.outcome || line.differenceCount !== expected.differenceCount) return false;
  return expected.grandTotalDelta === null || line.grandTotalDelta === expected.grandTotalDelta;
}

/** The shadow Worker's lines. It writes them after the answers. */
async function logged(migration, count) {
  const deadline = Date.now() + LOGGED_WITHIN_MS;
  for (;;) {
    const lines = migration.logs.filter((line) => line.startsWith('{"event":"shadow"'));
    if (lines.length >= count || Date.now() > deadline) return lines.map((line) => JSON.parse(line));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// The reports

/** `order-cost verify` on what the two sides answered. Errors have no key, so only priced orders are in the files. */
async function verify(folder, plan) {
  const priced = plan.filter(({ priced: { status } }) => status === 200);
  const [left, right] = ["old", "new"].map((name) => join(folder, `${name}.ndjson`));
  writeFileSync(left, priced.map(({ old }) => `${old}\n`).join(""));
  writeFileSync(right, priced.map(({ fresh }) => `${fresh}\n`).join(""));
  return { report: await command(["verify", left, right, "--key", "orderId"]), expected: findingsIn(priced) };
}

/** `order-cost replay` on the captures, against each side. */
async function replay(captured, plan) {
  const ids = capturedIds(captured);
  const orders = plan.filter(({ id }) => ids.has(id));
  return {
    captures: ids.size,
    fresh: await command(["replay", captured]),
    report: await command(["replay", captured, "--against", "legacy"]),
    expected: findingsIn(orders),
  };
}

function capturedIds(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const captures = files.filter((entry) => entry.isFile() && !(entry.parentPath ?? entry.path).endsWith("zones"));
  return new Set(captures.map((entry) => JSON.parse(readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8")).requestId));
}

async function command(args) {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await main([...args, "--format", "json"], { stdout, stderr, env: {} });
  if (code === 2 || stdout.text() === "") throw new Error(`order-cost ${args.join(" ")}: ${stderr.text()}`);
  return { code, ...JSON.parse(stdout.text()) };
}

/** What a report has to say: how many orders differ, by how much, and how many for each decision. */
function findingsIn(orders) {
  const differing = orders.filter((planned) => lineOf(planned).outcome !== "same");
  return {
    orders: orders.length,
    different: differing.length,
    atStake: moneyOf(differing),
    decisions: countBy(differing.flatMap(decisionsOf), (decision) => decision),
  };
}

/** The decisions that explain an order's differences. A failure has two, because a capture has its status: D40, and its text. */
function decisionsOf({ wish, legacy, priced }) {
  return wish === "errorTexts"
    ? ["D40", textDecision(JSON.parse(priced.body).error)]
    : legacy.made.map((name) => DIFFERENCES[name].decision);
}

/** The specification has some texts, D11 those about an order that is not valid; the others are a service's own. */
function textDecision(error) {
  if (error.startsWith("Invalid order")) return "D11";
  return /^(No price for|Voucher|Branch) /.test(error) ? "D40" : "D41";
}

/** Σ |ΔgrandTotal| */
function moneyOf(orders) {
  const priced = orders.filter((planned) => planned.priced.status === 200);
  return decimalText(
    priced.map(({ legacy, priced: { body } }) => magnitude(subtract(totalOf(legacy.body), totalOf(body)))).reduce(add, ZERO),
  );
}

/** How many orders a report names for each decision. */
const decisionsIn = ({ explanations }) =>
  explanations.reduce((counts, { decision, orders }) => {
    counts[decision] = (counts[decision] ?? 0) + orders;
    return counts;
  }, {});

const totalOf = (body) => parseDecimal(member(readJson(body), "grandTotal").raw);
const magnitude = (amount) => (isNegative(amount) ? subtract(ZERO, amount) : amount);

/** Whether a report says of the orders what it has to. */
const isExact = ({ report, expected: { decisions, ...counts } }) =>
  isDeepStrictEqual({ orders: report.orders, different: report.different, atStake: report.atStake }, counts) &&
  isDeepStrictEqual(decisionsIn(report), decisions);

/**
 * What the walk has to show, each with whether it does and a figure.
 * @param {Awaited<ReturnType<typeof walk>>} found
 * @returns {{ holds: boolean, what: string, figure: string | number }[]}
 */
export function checks({ watched, verified, replayed, switched }) {
  const answered = watched.orders - watched.faults.length;
  return [
    { what: "answers that are the serving side's, to the byte", figure: answered, holds: watched.faults.length === 0 },
    { what: "comparisons in the log", figure: watched.lines, holds: watched.lines === watched.orders },
    {
      what: "of them with another outcome, count or money than planted",
      figure: watched.wrongLines.length,
      holds: watched.wrongLines.length === 0,
    },
    { what: "differences that were planted", figure: watched.planted.length, holds: watched.planted.every(({ orders }) => orders > 0) },
    { what: "verify: orders that differ, each with its decision", figure: verified.report.different, holds: isExact(verified) },
    {
      what: "captures that priced again are the same",
      figure: replayed.fresh.same,
      holds: replayed.fresh.code === 0 && replayed.fresh.same === replayed.captures,
    },
    { what: "replay against the old service: captures that differ", figure: replayed.report.different, holds: isExact(replayed) },
    { what: "answers of the old service, before the switch and after the way back", figure: switched.legacy, holds: switched.legacy > 0 },
    { what: "answers of the new service in between", figure: switched.new, holds: switched.new > 0 },
    { what: "orders under way in both versions at once", figure: switched.overlapping, holds: switched.overlapping > 0 },
    { what: "answers lost or wrong", figure: switched.faults.length, holds: switched.faults.length === 0 },
  ];
}

// The switch, and the way back

/**
 * Switches to the new service in a third of the orders and back in the next, as a deployment does: what has begun goes
 * on in the old version, what begins goes to the new one.
 */
async function switchOver(ask, plan, progress) {
  const versionAt = (index) => (Math.floor((3 * index) / plan.length) === 1 ? "after" : "before");
  const result = { legacy: 0, new: 0, overlapping: 0, faults: [] };
  const open = { before: 0, after: 0 };
  await inParallel(
    plan,
    CONNECTIONS,
    (done, all) => progress("switch and back", done, all),
    async (planned, index) => {
      const version = versionAt(index);
      open[version] += 1;
      if (open.before > 0 && open.after > 0) result.overlapping += 1;
      const answer = await ask(version, planned);
      open[version] -= 1;
      const isRight = version === "after" ? isNew(answer, planned) : isLegacy(answer, planned);
      if (isRight) result[version === "after" ? "new" : "legacy"] += 1;
      else result.faults.push({ id: planned.id, version, answer });
    },
  );
  return result;
}

function countBy(list, nameOf) {
  const counts = {};
  for (const one of list) counts[nameOf(one)] = (counts[nameOf(one)] ?? 0) + 1;
  return counts;
}
