import { element, icon } from "../dom/index.js";
import { t } from "../page/index.js";

/** Whether two answers are the same, as a sentence with a sign before it. */
export const verdict = (kind, title, detail) =>
  [
    element("p", { class: `verdict is-${kind}` }, icon(kind === "good" ? "check" : "warning"), element("b", {}, title)),
    detail && element("p", { class: "note" }, detail),
  ].filter(Boolean);

/**
 * The fields that differ between two answers.
 * @param {import("order-cost/compare").FieldDifference[]} differences
 * @param {string} leftName
 * @param {string} rightName
 */
export function differenceTable(differences, leftName, rightName) {
  const names = [t("edge.field"), leftName, rightName, t("edge.how")];
  const heads = names.map((name) => element("th", { scope: "col" }, name));
  const rows = differences.map(({ path, left, right, kind }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, path),
      element("td", {}, shown(left)),
      element("td", {}, shown(right)),
      element("td", {}, t(`difference.${kind}`)),
    ),
  );
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  return element("div", { class: "differences", role: "region", tabindex: "0", "aria-label": t("edge.differences") }, table);
}

const shown = (value) => JSON.stringify(value) ?? "—";
