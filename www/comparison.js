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
 * @returns {{verdict: "same" | "different" | "none", title: string, detail: string, differences: object[]}}
 */
export function compareAnswers(browser, edge) {
  const result = (verdict, title, detail, differences = []) => ({ verdict, title, detail, differences });
  if (edge.text === undefined) return result("none", "Nothing to compare", "The edge gave no answer.");
  if (!browser.failure !== !edge.failure) return result("different", "Only one priced the order", "The other one failed.");
  if (browser.text === edge.text) return result("same", "Same to the byte", `${bytes(edge.text)} each.`);

  const differences = compareOrders(browser.text, edge.text);
  const size = differences.length;
  if (size === 0) return result("same", "Same in every field", "The fields are in another order, or spaced otherwise.");
  return result("different", size === 1 ? "1 field differs" : `${count(size)} fields differ`, "See the table below.", differences);
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
