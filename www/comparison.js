import { compareOrders } from "order-cost/compare";
import { element } from "./dom.js";
import { count } from "./format.js";

const KINDS = {
  missing: "missing on one side",
  type: "another type",
  numberFormat: "the same number, written otherwise",
  underHalfSatang: "less than half a satang apart",
  value: "another value",
};

/**
 * How two answers to one order compare.
 * @param {import("./pricing.js").Answer} browser
 * @param {import("./pricing.js").Answer} edge
 * @returns {{verdict: "same" | "different" | "alone", title: string, detail: string, differences: object[]}}
 */
export function compareAnswers(browser, edge) {
  if (edge.text === undefined) {
    return { verdict: "alone", title: "Nothing to compare", detail: "The browser priced the order alone.", differences: [] };
  }
  if (!browser.failure !== !edge.failure) {
    return { verdict: "different", title: "Only one priced the order", detail: "The other one failed.", differences: [] };
  }
  if (browser.text === edge.text) {
    return { verdict: "same", title: "Same to the byte", detail: `${bytes(edge.text)} each.`, differences: [] };
  }
  const differences = compareOrders(browser.text, edge.text);
  if (differences.length === 0) {
    return { verdict: "same", title: "Same in every field", detail: "The fields stand in another order, or are spaced otherwise.", differences };
  }
  const fields = differences.length === 1 ? "1 field differs" : `${count(differences.length)} fields differ`;
  return { verdict: "different", title: fields, detail: "The table below names them.", differences };
}

const bytes = (text) => `${count(new TextEncoder().encode(text).length)} bytes`;

/**
 * The differences that compareOrders found.
 * @param {import("order-cost/compare").FieldDifference[]} differences
 */
export function differenceTable(differences) {
  const heads = ["Field", "Browser", "Edge", "How"].map((head) => element("th", { scope: "col" }, head));
  const rows = differences.map(({ path, left, right, kind }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, path),
      element("td", {}, shown(left)),
      element("td", {}, shown(right)),
      element("td", { class: "muted" }, KINDS[kind]),
    ),
  );
  return element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

const shown = (value) => JSON.stringify(value) ?? "—";
