// The tally of an impact, as members of a JSON document.
import { list, listOf, Misshapen, text, textOrNull, whole } from "../files/index.js";
import { moneyOf, moneyText } from "./money.js";
import { CAUSES } from "./stages.js";
import { Tally } from "./tally.js";

const COUNTS = ["orders", "unusable", "stillFailing"];
const MONEY_COUNTS = ["captured", "newlyFailing", "newlyPriced", "open"];

/** @type {import("../tally/tally-file.js").Kind} */
export const IMPACT = {
  name: "impact",
  format: 1,
  others: { catalogue: "another catalogue", zones: "other zones", policy: "another policy" },
  subjectIn,
  tallyIn,
  empty: () => new Tally(),
  members,
};

/** Rows are lists, which are read fast: there may be many thousand files. */
function members(tally) {
  return {
    ...Object.fromEntries(COUNTS.map((name) => [name, tally[name]])),
    ...Object.fromEntries(MONEY_COUNTS.map((name) => [name, countRow(tally[name])])),
    differences: movesRow(tally.differences),
    causes: tally.causes.map(movesRow),
    failures: [...tally.failures.values()].map(failureRow).sort(byText),
    products: [...tally.products].map(([cprcode, moves]) => [cprcode, ...movesRow(moves)]).sort(byText),
    largest: tally.largest.map(({ order, before, after }) => [order.requestId, order.hash, moneyText(before), moneyText(after)]),
  };
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

function subjectIn({ policy, catalogue, zones }) {
  const isPolicy = policy === null || (typeof policy === "object" && Object.values(policy).every((value) => typeof value === "string"));
  if (!isPolicy) throw new Misshapen("policy", "rules such as rowTotal, or null");
  return { policy, catalogue: textOrNull(catalogue, "catalogue"), zones: textOrNull(zones, "zones") };
}

function tallyIn(json) {
  return {
    ...Object.fromEntries(COUNTS.map((name) => [name, whole(json[name], name)])),
    ...Object.fromEntries(MONEY_COUNTS.map((name) => [name, countOf(list(json[name], name), 0, name)])),
    differences: movesOf(list(json.differences, "differences"), 0, "differences"),
    causes: CAUSES.map((_, index) => movesOf(list(list(json.causes, "causes")[index], "causes"), 0, "causes")),
    failures: new Map(rows(json.failures, "failures").map(failureOf)),
    products: rows(json.products, "products").map((row) => [text(row[0], "products"), movesOf(row, 1, "products")]),
    largest: rows(json.largest, "largest").map(movedOf),
  };
}

const rows = listOf(list);

function moneyAt(row, at, where) {
  const money = moneyOf(row[at]);
  if (money === undefined) throw new Misshapen(where, "an amount as text");
  return money;
}

const countOf = (row, at, where) => ({ orders: whole(row[at], where), money: moneyAt(row, at + 1, where) });

const movesOf = (row, at, where) => ({ up: countOf(row, at, where), down: countOf(row, at + 2, where) });

/**
 * @param {unknown[]} row
 * @returns {[string, { code: string, cause: string, orders: number, money: bigint, first: object }]}
 */
function failureOf(row) {
  const [code, cause, requestId, hash, message] = [0, 1, 4, 5, 6].map((at) => text(row[at], "failures"));
  if (!CAUSES.includes(cause)) throw new Misshapen("failures", `a cause: ${CAUSES.join(", ")}`);
  return [`${code} ${cause}`, { code, cause, ...countOf(row, 2, "failures"), first: { order: { requestId, hash }, message } }];
}

const movedOf = (row) => ({
  order: { requestId: text(row[0], "largest"), hash: text(row[1], "largest") },
  before: moneyAt(row, 2, "largest"),
  after: moneyAt(row, 3, "largest"),
});
