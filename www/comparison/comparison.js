import { compareOrders } from "order-cost/compare";
import { byId } from "../dom/index.js";
import { retry } from "../model/index.js";
import { responseOf } from "../orders/index.js";
import { count, measured, t } from "../page/index.js";
import { differenceTable, verdict } from "./differences.js";
import { priceAtEdge } from "./edge.js";

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
  return [
    ...verdict("bad", t("edge.different", { count: differences.length }), time),
    differenceTable(differences, t("edge.browser"), t("edge.edge")),
  ];
}

const bytesOf = (text) => new TextEncoder().encode(text).length;
