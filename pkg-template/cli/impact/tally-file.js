// A tally as one JSON document: what was counted, of which parts, by which software and for which change.
import { Failure, faultSentence, jsonFault, placed, readText } from "../files/index.js";
import { withOutput } from "../screen/index.js";
import { moneyOf, moneyText } from "./money.js";
import { CAUSES } from "./stages.js";

const KIND = "impact";
const FORMAT = 1;
const COUNTS = ["orders", "unusable", "stillFailing"];
const MONEY_COUNTS = ["captured", "newlyFailing", "newlyPriced", "open"];

/**
 * What a tally is of. Tallies that differ in one of these do not add up.
 * @typedef {{ version: string, module: string, policy: Record<string, string> | null, catalogue: string | null, zones: string | null }} Subject
 */

/**
 * @typedef {{ subject: Subject, parts: import("./parts.js").Parts, tally: import("./tally.js").Tally }} Counted
 *
 * @param {string} name of the file
 * @param {Counted} counted
 */
export async function writeTally(name, counted) {
  await withOutput(name, ({ write }) => write(tallyText(counted)));
}

/** Rows are lists, which are read fast: there may be many thousand files. */
function tallyText({ subject, parts, tally }) {
  const lists = {
    differences: movesRow(tally.differences),
    causes: tally.causes.map(movesRow),
    failures: [...tally.failures.values()].map(failureRow).sort(byText),
    products: [...tally.products].map(([cprcode, moves]) => [cprcode, ...movesRow(moves)]).sort(byText),
    largest: tally.largest.map(({ order, before, after }) => [order.requestId, order.hash, moneyText(before), moneyText(after)]),
  };
  const counts = Object.fromEntries(COUNTS.map((name) => [name, tally[name]]));
  const money = Object.fromEntries(MONEY_COUNTS.map((name) => [name, countRow(tally[name])]));
  const { broken } = tally;
  const json = { tally: KIND, format: FORMAT, ...subject, parts: parts.fingerprints(), ...counts, ...money, ...lists, broken };
  return `${JSON.stringify(json)}\n`;
}

const countRow = ({ orders, money }) => [orders, moneyText(money)];

const movesRow = ({ up, down }) => [...countRow(up), ...countRow(down)];

const failureRow = ({ code, cause, orders, money, first: { order, message } }) => [
  code,
  cause,
  ...countRow({ orders, money }),
  order.requestId,
  order.hash,
  message,
];

/** By the code, then by the cause: no two rows have both. */
const byText = (a, b) => (a[0] === b[0] ? compare(a[1], b[1]) : compare(a[0], b[0]));

const compare = (a, b) => (a < b ? -1 : 1);

/**
 * Reads a tally. Its orders are for `Tally.merge`.
 * @param {string} name of the file
 */
export async function readTally(name) {
  const text = await readText(name);
  return placed(name, () => tallyIn(text, name));
}

function tallyIn(text, name) {
  try {
    return read(parsed(text, name));
  } catch (error) {
    throw error instanceof Fault ? new Failure(`${name}: ${error.message}`) : error;
  }
}

class Fault extends Error {}

function parsed(text, name) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(faultSentence({ name }, jsonFault(text), "expected a whole tally as JSON"));
  }
}

function read(json) {
  if (json?.tally !== KIND) throw new Fault("no tally: expected what impact --tally writes");
  if (json.format !== FORMAT) throw new Fault(`a tally of format ${JSON.stringify(json.format)}, expected ${FORMAT}`);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, whole(json[name], name)]));
  const money = Object.fromEntries(MONEY_COUNTS.map((name) => [name, countOf(list(json[name], name), 0, name)]));
  const lists = {
    differences: movesOf(list(json.differences, "differences"), 0, "differences"),
    causes: CAUSES.map((_, index) => movesOf(list(list(json.causes, "causes")[index], "causes"), 0, "causes")),
    failures: new Map(rows(json, "failures").map(failureOf)),
    products: rows(json, "products").map((row) => [textIn(row, 0, "products"), movesOf(row, 1, "products")]),
    largest: rows(json, "largest").map(movedOf),
  };
  return {
    subject: subjectOf(json),
    parts: texts(json.parts, "parts"),
    tally: { ...counts, ...money, ...lists, broken: brokenOf(json.broken) },
  };
}

/** Without --skip-broken there is none. */
function brokenOf(broken) {
  if (broken === undefined) return undefined;
  return { count: whole(broken?.count, "broken", "lines"), first: texts(broken.first, "broken") };
}

function subjectOf({ version, module, policy, catalogue, zones }) {
  const isText = (value) => typeof value === "string";
  for (const [name, value] of Object.entries({ version, module })) if (!isText(value)) throw new Fault(`${name}: expected a text`);
  for (const [name, value] of Object.entries({ catalogue, zones }))
    if (value !== null && !isText(value)) throw new Fault(`${name}: expected a text, or null`);
  const isPolicy = policy === null || (typeof policy === "object" && Object.values(policy).every(isText));
  if (!isPolicy) throw new Fault("policy: expected rules such as rowTotal, or null");
  return { version, module, policy, catalogue, zones };
}

function whole(value, where, what = "orders") {
  if (!Number.isSafeInteger(value) || value < 0) throw new Fault(`${where}: expected a number of ${what}`);
  return value;
}

function list(value, where) {
  if (!Array.isArray(value)) throw new Fault(`${where}: expected a list`);
  return value;
}

const texts = (value, where) => list(value, where).map((_, index, all) => textIn(all, index, where));

const rows = (json, where) => list(json[where], where).map((row) => list(row, where));

function textIn(row, at, where) {
  if (typeof row[at] !== "string") throw new Fault(`${where}: expected a text`);
  return row[at];
}

function moneyAt(row, at, where) {
  const money = moneyOf(row[at]);
  if (money === undefined) throw new Fault(`${where}: expected an amount as text`);
  return money;
}

const countOf = (row, at, where) => ({ orders: whole(row[at], where), money: moneyAt(row, at + 1, where) });

const movesOf = (row, at, where) => ({ up: countOf(row, at, where), down: countOf(row, at + 2, where) });

/**
 * @param {unknown[]} row
 * @returns {[string, { code: string, cause: string, orders: number, money: bigint, first: object }]}
 */
function failureOf(row) {
  const [code, cause, requestId, hash, message] = [0, 1, 4, 5, 6].map((at) => textIn(row, at, "failures"));
  if (!CAUSES.includes(cause)) throw new Fault(`failures: expected a cause: ${CAUSES.join(", ")}`);
  return [`${code} ${cause}`, { code, cause, ...countOf(row, 2, "failures"), first: { order: { requestId, hash }, message } }];
}

const movedOf = (row) => ({
  order: { requestId: textIn(row, 0, "largest"), hash: textIn(row, 1, "largest") },
  before: moneyAt(row, 2, "largest"),
  after: moneyAt(row, 3, "largest"),
});
