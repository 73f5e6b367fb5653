import { compareOrders } from "order-cost/compare";
import { byId, element } from "../page/dom.js";
import { priceAtEdge } from "../model/edge.js";
import { count, measured } from "../page/format.js";
import { icon } from "../page/icons.js";
import { t } from "../page/language.js";
import { responseOf } from "../model/response.js";
import { retry } from "../model/retry.js";

/**
 * Prices the order at the edge too, and compares both answers.
 * @param {import("order-cost").Basket} basket
 */
export function createComparisonView(basket) {
  const button = byId("check-edge");
  const result = byId("edge-result");
  let last; // the shown comparison: { order, here, there }

  button.addEventListener("click", check);

  async function check() {
    button.setAttribute("aria-busy", "true");
    const { order } = basket;
    const [there] = await Promise.all([priceAtEdge(order), retry(basket)]);
    button.removeAttribute("aria-busy");
    last = { order, here: responseOf(basket), there };
    render();
    result.focus();
  }

  /** Hides the answer once it belongs to an older basket. */
  function render() {
    if (last?.order !== basket.order) last = undefined;
    result.hidden = last === undefined;
    if (last) result.replaceChildren(...content(last));
  }

  return { render };
}

function content({ here, there: { text, version, failure, milliseconds } }) {
  if (text === undefined) return verdict("bad", t(`edge.${failure.kind}`, { status: failure.status }));
  const answered = t("edge.time", { time: measured(milliseconds) });
  const time = version ? `${answered} · ${t("edge.version", { version })}` : answered;
  if (here === text) {
    if (failure) return verdict("good", t("edge.sameRefusal"), `${failure.message} · ${time}`);
    return verdict("good", t("edge.same"), `${t("edge.bytes", { bytes: count(bytesOf(text)) })} · ${time}`);
  }
  const isRefusedHere = JSON.parse(here).error !== undefined;
  if (failure && !isRefusedHere) return verdict("bad", t("edge.onlyBrowser"), failure.message);
  if (isRefusedHere && !failure) return verdict("bad", t("edge.onlyEdge"), JSON.parse(here).error);

  const differences = compareOrders(here, text);
  if (differences.length === 0) return verdict("good", t("edge.sameFields"), time);
  return [...verdict("bad", t("edge.different", { count: differences.length }), time), differenceTable(differences)];
}

const bytesOf = (text) => new TextEncoder().encode(text).length;

const verdict = (kind, title, detail) =>
  [
    element("p", { class: `verdict is-${kind}` }, icon(kind === "good" ? "check" : "warning"), element("b", {}, title)),
    detail && element("p", { class: "note" }, detail),
  ].filter(Boolean);

function differenceTable(differences) {
  const heads = ["field", "browser", "edge", "how"].map((head) => element("th", { scope: "col" }, t(`edge.${head}`)));
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
  return element(
    "div",
    { class: "differences", role: "region", tabindex: "0", "aria-label": t("edge.differences") },
    table,
  );
}

const shown = (value) => JSON.stringify(value) ?? "—";
