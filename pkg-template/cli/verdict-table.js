import { amount, table } from "./table.js";

const MOST_VALUE_LENGTH = 40;

/** Shows people the findings of `verify`. */
export function verdictTable(verdict, color) {
  const parts = [summary(verdict)];
  if (verdict.fields.length > 0) parts.push(fields(verdict.fields, color));
  if (verdict.examples.length > 0) parts.push(examples(verdict.examples, color));
  return parts.join("\n\n");
}

function summary({ left, right, orders, same, different, onlyLeft, onlyRight }) {
  const counts = [
    [same, "the same"],
    [different, "different"],
    [onlyLeft, `only in ${left}`],
    [onlyRight, `only in ${right}`],
  ];
  const found = counts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString("en")} ${what}`);
  return `${orders.toLocaleString("en")} ${orders === 1 ? "order" : "orders"}: ${found.join(", ")}`;
}

function fields(entries, color) {
  const rows = entries.map(({ field, kind, count, largest }) => [
    field,
    kind,
    count.toLocaleString("en"),
    largest === null ? "" : amount(largest),
  ]);
  return table({ head: ["field", "kind", "count", "largest difference"], rows, right: [2, 3], color });
}

function examples(entries, color) {
  const rows = entries.map(({ where, path, kind, ...values }) => [where, path, kind, ...sides(values)]);
  return table({ head: ["the worst", "field", "kind", "left", "right"], rows, color });
}

function sides({ left, right }) {
  return [left, right].map(shortened);
}

function shortened(text) {
  if (text === null) return "(missing)";
  const characters = [...text];
  return characters.length > MOST_VALUE_LENGTH ? `${characters.slice(0, MOST_VALUE_LENGTH - 1).join("")}…` : text;
}
