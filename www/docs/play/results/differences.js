// The fields that differ between two answers, as a table.
import { compareOrders } from "order-cost/compare";
import { element } from "../../../dom/index.js";
import { count } from "../parts/index.js";

/** How many are listed. */
const MOST_LISTED = 200;

/**
 * @param {string} left the text of an answer
 * @param {string} right
 * @param {[string, string]} names of both
 */
export function differencesOf(left, right, names) {
  if (left === right) return [verdict("good", "The answers are the same, to the byte.")];
  const differences = compareOrders(left, right);
  if (differences.length === 0) return [verdict("good", "The answers are the same in every field.")];
  const rest = differences.length - MOST_LISTED;
  return [
    verdict("bad", `${count(differences.length, "field")} ${differences.length === 1 ? "differs" : "differ"}.`),
    element(
      "div",
      { class: "play-scroll", role: "region", tabindex: "0", "aria-label": "Differences" },
      table(differences.slice(0, MOST_LISTED), names),
    ),
    ...(rest > 0 ? [element("p", {}, `And ${rest} more.`)] : []),
  ];
}

export const verdict = (kind, text) => element("p", { class: `play-verdict is-${kind}` }, text);

function table(differences, names) {
  const head = ["Field", ...names].map((name) => element("th", { scope: "col" }, name));
  const rows = differences.map(({ path, left, right }) =>
    element("tr", {}, element("th", { scope: "row" }, path), cell(left), cell(right)),
  );
  return element("table", { class: "play-differences" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

const cell = (value) => element("td", {}, value === undefined ? "—" : JSON.stringify(value));
