// Shows people what a comparison found, the most important first.
import { amount, figure, signedThb, table, thb } from "../screen/index.js";
import { reportHead } from "./report-head.js";

const MOST_VALUE_LENGTH = 40;

/** Of a long list people see the beginning: the head of the report must not scroll away. */
const MOST_LINES = 20;

/**
 * The findings of `verify` or `replay`, and what they were asked.
 * @typedef {ReturnType<import("./findings.js").Findings["report"]> & Asked} Report
 *
 * @typedef {object} Asked
 * @property {string} left
 * @property {string} right
 * @property {string} [noun]
 * @property {string | null} [alignment]
 * @property {string | null} limit
 * @property {string | null} matchRows
 * @property {string | null} reason
 * @property {import("../files/broken-lines.js").BrokenLines} [broken]
 */

/**
 * @param {Report} report
 * @param {boolean} color
 */
export function reportTable(report, color) {
  const parts = [
    reportHead(report),
    ...section(report.explanations, explanations, report, color),
    ...section(report.fields, fields, report, color),
    ...section(report.examples, examples, report, color),
    ...section(report.differing ?? [], differing, report, color),
    ...section(report.accepted, accepted, report, color),
  ];
  return parts.join("\n\n");
}

const section = (entries, show, report, color) => (entries.length > 0 ? [show(entries, report, color)] : []);

/**
 * The columns of `verify` are left and right, those of `replay` its two sides.
 * @param {Report} report
 */
const sideNames = ({ noun, left, right }) => (noun ? { left, right } : { left: "left", right: "right" });

/**
 * A difference's kind; of a failure the side, too.
 * @param {{ kind: string, side?: string }} difference
 */
const shownKind = ({ kind, side }, report) => (side === undefined ? kind : failureOf(side, report));

const failureOf = (side, report) => `${side === "both" ? side : sideNames(report)[side]} failed`;

/** A table, and below it a sentence, if there is one. */
const withNote = (text, note) => (note ? `${text}\n${note}` : text);

/** What a list does not show, and where it stands; undefined if it shows all. */
const cut = (shown, all, more) => (shown < all ? `${figure(shown)} of ${figure(all)}${more}` : undefined);

function explanations(entries, { ordersOfSeveralReasons: shared, net: all }, color) {
  const rows = entries.map(({ decision, what, policy, orders, differences, atStake, net }) => [
    decision ?? "",
    what,
    policy ?? "",
    figure(orders),
    figure(differences),
    thb(atStake),
    net === "0" ? thb(net) : signedThb(net),
  ]);
  const head = ["decision", "why they differ", "policy that removes it", "orders", "fields", "THB moved", "net THB"];
  const those = shared === 1 ? "order has another grand total" : "orders have other grand totals";
  const note =
    shared > 0 &&
    `${figure(shared)} ${those} for more than one reason: each line has its part of the money, and the net adds up to ${signedThb(all)}.`;
  return withNote(table({ head, rows, right: [3, 4, 5, 6], color }), note);
}

/**
 * @param {import("./fields.js").FieldEntry[]} entries
 * @param {Report} report
 * @param {boolean} color
 */
function fields(entries, report, color) {
  const rows = entries
    .slice(0, MOST_LINES)
    .map(({ field, why, count, largest, ...entry }) => [
      field,
      shownKind(entry, report),
      why,
      figure(count),
      largest === null ? "" : amount(largest),
    ]);
  const note = cut(rows.length, entries.length, "; --format json has all");
  return withNote(table({ head: ["field", "kind", "why", "count", "largest difference"], rows, right: [3, 4], color }), note);
}

/**
 * @param {import("./fields.js").Example[]} entries
 * @param {Report} report
 * @param {boolean} color
 */
function examples(entries, report, color) {
  const { left, right } = sideNames(report);
  const rows = entries.map(({ id, where, path, why, ...example }) => [
    shortened(id),
    where,
    path,
    shownKind(example, report),
    why,
    ...sides(example),
  ]);
  const limits =
    report.reason === null
      ? "at most 3 of each line above, at most --examples in all"
      : `of those for ${report.reason}, at most --examples`;
  const note = cut(rows.length, report.differences, ` differences: ${limits}`);
  return withNote(table({ head: ["the worst", "where", "field", "kind", "why", left, right], rows, color }), note);
}

/** @param {{ kind: string, left: string | null, right: string | null }} example */
function sides({ left, right, kind }) {
  const missing = kind === "unmatched" ? "" : "(missing)";
  return [left, right].map((text) => (text === null ? missing : shortened(text)));
}

function differing(entries, report, color) {
  const rows = entries
    .slice(0, MOST_LINES)
    .map(({ id, differences, worst, side, why }) => [id, figure(differences), side === undefined ? worst : failureOf(side, report), why]);
  const note = cut(rows.length, entries.length + report.notListed, "; --ids FILE has all");
  return withNote(table({ head: ["differs", "fields", "first of all", "why"], rows, right: [1], color }), note);
}

function accepted(entries, report, color) {
  const rows = entries.map(({ place, path, side, decision, reason, until, orders, count, atStake }) => [
    place,
    side === undefined ? (path ?? "unmatched") : `${path}: ${failureOf(side, report)}`,
    decision ?? "any",
    count === 0 ? "matches nothing: remove it" : `${reason} (until ${until})`,
    figure(orders),
    figure(count),
    thb(atStake),
  ]);
  return table({ head: ["accepted", "field", "decision", "reason", "orders", "fields", "THB"], rows, right: [4, 5, 6], color });
}

function shortened(text) {
  const characters = [...text];
  return characters.length > MOST_VALUE_LENGTH ? `${characters.slice(0, MOST_VALUE_LENGTH - 1).join("")}…` : text;
}
