// The fields of orders, of a host's answers and of the response, from the tables of src/. They stand in SPECIFICATION.md.
import { FIELDS, WORDS } from "order-cost/internal";
import { code, table, withDecisions } from "./markdown.mjs";
import { reference } from "./reference.mjs";

const KINDS = {
  strings: "list of strings",
  flag: "boolean",
  any: "any JSON",
  array: "list of any JSON",
  time: "number",
  degrees: "number",
  factor: "number",
  baht: "amount, THB",
  kilograms: "amount, kg",
};
/** The sections of what the response holds. */
const SECTIONS = {
  Product: "row",
  Shipping: "priced-shipping",
  Voucher: "vouchers",
  DiscountResult: "discount-result",
  Summary: "summary",
};

/** The fields of an object. The type stands below the name: a telephone is too narrow for more columns. */
const fields =
  (name, lines = (/** @type {any} */ { read }) => read) =>
  async ({ root }) => {
    const typed = ({ key, kind }) => typeOf(kind, FIELDS[name].read[key]?.of);
    const rows = lines(reference(root).objects[name]).map((line) => [
      `${code(line.key)}<br>${typed(line)}${defaultOf(line)}`,
      linked(line.means),
    ]);
    return table(["Field", "Meaning"], rows);
  };

/** With those that are calculated, in the sequence of the response. */
const returned = ({ read, added, response }) => response.map((key) => [...read, ...added].find((line) => line.key === key));

function typeOf(kind, of) {
  if (kind === "word") return `one of ${WORDS[of].map(code).join(", ")}`;
  if (kind !== "object" && kind !== "objects") return KINDS[kind] ?? kind;
  const name = of.replace(/(?<=[a-z])[A-Z]/, " $&").toLowerCase();
  const anchor = name.replace(" ", "-");
  return kind === "object" ? `[${name}](#${anchor})` : `list of [${name}s](#${anchor})`;
}

/** Some sentences say the default. */
function defaultOf({ kind, required, default: value, means }) {
  if (required) return ", required";
  if (value === undefined) return ", calculated";
  return /\bDefault\b/.test(means) ? "" : `, default ${code(kind === "word" ? value : JSON.stringify(value))}`;
}

/** The keys of an object of the response. */
const answered =
  (name) =>
  async ({ root }) => {
    const { added, response } = reference(root).objects[name];
    const rows = response.map((key) => {
      const section = SECTIONS[FIELDS[name].response[key].of];
      const means = added.find((line) => line.key === key)?.means ?? "From the order, or the default.";
      return [section ? `[${code(key)}](#${section})` : code(key), linked(means)];
    });
    return table(["Key", "Value"], joined(rows));
  };

/** Keys that follow each other and have the same value share a row. */
function joined(rows) {
  const shared = [];
  for (const [key, value] of rows) {
    const last = shared.at(-1);
    if (last?.[1] === value) last[0] += `, ${key}`;
    else shared.push([key, value]);
  }
  return shared;
}

const summary = async ({ root }) => `${reference(root).objects.Summary.response.map(code).join(", ")}.`;

const linked = (text) => withDecisions(text, "DECISIONS.md");

/** By the names that SPECIFICATION.md has for them. */
export const FIELD_TABLES = {
  "fields-order": fields("Order"),
  "fields-product": fields("Product"),
  "fields-shipping": fields("Shipping"),
  "fields-schedule": fields("Schedule", returned),
  "fields-response": answered("Order"),
  "fields-row": answered("Product"),
  "fields-summary": summary,
  "fields-price": fields("Price"),
  "fields-rate": fields("Rate"),
  "fields-voucher": fields("Voucher"),
  "fields-coupons": fields("DiscountResult"),
  "fields-discount": fields("Discount"),
  "fields-line-discount": fields("LineDiscount"),
};
