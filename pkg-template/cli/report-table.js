// Shows people what a comparison found, the most important first.
import { amount, printable, table, thb } from "./table.js";

const MOST_VALUE_LENGTH = 40;

/** The findings of `verify` or `replay`, see Findings.report. */
export function reportTable(report, color) {
  const parts = [
    heading(report),
    ...section(report.explanations, explanations, color),
    ...section(report.fields, fields, color),
    ...section(report.examples, examplesOf(report), color),
    ...section(report.differing ?? [], differing, color),
    ...section(report.accepted, accepted, color),
  ];
  return parts.join("\n\n");
}

const section = (entries, show, color) => (entries.length > 0 ? [show(entries, color)] : []);

function heading(report) {
  const { alignment, atStake, ordersAtStake, otherKeyOrder, otherRows, withoutTotal, withoutRowField, matchRows, limit } = report;
  const lines = [
    summary(report),
    ordersAtStake > 0 && `${thb(atStake)} THB at stake: ${orders(ordersAtStake, "has another grand total", "have other grand totals")}`,
    withoutTotal > 0 && `${orders(withoutTotal, "has", "have")} no comparable total: one side has no number as grandTotal`,
    limit,
    alignment,
    withoutRowField > 0 && `${orders(withoutRowField, "has", "have")} no ${matchRows} in any row: --match-rows could not pair their rows by it.`,
    otherRows > 0 && `${orders(otherRows, "has", "have")} more rows on one side: --match-rows cprcode pairs rows by product.`,
    otherKeyOrder > 0 && `${orders(otherKeyOrder, "has its", "have their")} keys in another order, which is no difference (D1, D3).`,
  ];
  return lines.filter(Boolean).map(printable).join("\n");
}

const orders = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? `order ${one}` : `orders ${many}`}`;

function summary({ left, right, noun = "order", orders, same, acceptedOrders, acceptedAtStake, different, unmatched, onlyLeft, onlyRight }) {
  const both = onlyLeft > 0 && onlyRight > 0;
  const only = (count, side) => count > 0 && `${both ? `${count.toLocaleString("en")} ` : ""}only in ${side}`;
  const sides = [only(onlyLeft, left), only(onlyRight, right)];
  const counts = [
    [same, "the same"],
    [acceptedOrders, `accepted (${thb(acceptedAtStake)} THB)`, acceptedAtStake !== "0"],
    [different, "different"],
    [unmatched, `unmatched (${sides.filter(Boolean).join(", ")})`],
  ];
  const found = counts.filter(([count, , isMoney]) => count > 0 || isMoney).map(([count, what]) => `${count.toLocaleString("en")} ${what}`);
  return `${orders.toLocaleString("en")} ${orders === 1 ? noun : `${noun}s`}: ${found.join(", ")}`;
}

function explanations(entries, color) {
  const rows = entries.map(({ decision, what, policy, orders, differences, atStake }) => [
    decision ?? "",
    what,
    policy ?? "",
    orders.toLocaleString("en"),
    differences.toLocaleString("en"),
    thb(atStake),
  ]);
  const head = ["decision", "why they differ", "policy that removes it", "orders", "fields", "THB at stake"];
  return table({ head, rows, right: [3, 4, 5], color });
}

function fields(entries, color) {
  const rows = entries.map(({ field, kind, why, count, largest }) => [
    field,
    kind,
    why,
    count.toLocaleString("en"),
    largest === null ? "" : amount(largest),
  ]);
  return table({ head: ["field", "kind", "why", "count", "largest difference"], rows, right: [3, 4], color });
}

/** The columns of `verify` are left and right, those of `replay` its two sides. */
const examplesOf = ({ noun, left, right }) => (entries, color) => examples(entries, noun ? [left, right] : ["left", "right"], color);

function examples(entries, sideNames, color) {
  const rows = entries.map(({ id, where, path, kind, why, ...values }) => [shortened(id), where, path, kind, why, ...sides(values, kind)]);
  return table({ head: ["the worst", "where", "field", "kind", "why", ...sideNames], rows, color });
}

function sides({ left, right }, kind) {
  return kind === "unmatched" ? ["", ""] : [left, right].map((text) => (text === null ? "(missing)" : shortened(text)));
}

function differing(entries, color) {
  const rows = entries.map(({ id, differences, worst, why }) => [id, differences.toLocaleString("en"), worst, why]);
  return table({ head: ["differs", "fields", "first of all", "why"], rows, right: [1], color });
}

function accepted(entries, color) {
  const rows = entries.map(({ place, path, decision, reason, until, orders, count, atStake }) => [
    place,
    path ?? "unmatched",
    decision ?? "any",
    count === 0 ? "matches nothing: remove it" : `${reason} (until ${until})`,
    orders.toLocaleString("en"),
    count.toLocaleString("en"),
    thb(atStake),
  ]);
  return table({ head: ["accepted", "field", "decision", "reason", "orders", "fields", "THB"], rows, right: [4, 5, 6], color });
}

function shortened(text) {
  const characters = [...text];
  return characters.length > MOST_VALUE_LENGTH ? `${characters.slice(0, MOST_VALUE_LENGTH - 1).join("")}…` : text;
}
