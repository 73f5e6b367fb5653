import { byId, element } from "../page/dom.js";
import { known, money, priceTag, weight } from "../page/format.js";
import { icon } from "../page/icons.js";
import { currentLanguage, t } from "../page/language.js";
import { billOf } from "../model/bill.js";
import { barsOf } from "../model/ledger.js";
import { whenChanged } from "../page/memo.js";
import { waterfall } from "./waterfall.js";

const STATES = { current: "check", pending: "waiting", failed: "warning" };

/**
 * The bill: the total at once, and its steps as soon as every look-up has answered.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createBillView(shop, basket) {
  let explained; // the order whose ledger is drawn

  function render() {
    renderTotals();
    renderStatus();
    renderLedger();
  }

  const renderTotals = whenChanged(() => [currentLanguage(), basket.status, basket.totals, basket.rows], showTotals);
  const renderStatus = whenChanged(() => [currentLanguage(), basket.status, basket.pending], showStatus);
  const renderLedger = whenChanged(() => [currentLanguage(), basket.status, basket.order], explain);

  function showTotals() {
    const { status, total, subTotal } = billOf(basket.snapshot);
    for (const id of ["total-label", "dock-label"]) byId(id).textContent = t(`bill.total.${status}`);
    byId("total").replaceChildren(priceTag(total));
    byId("dock-total").textContent = known(total);
    byId("subtotal").textContent = known(subTotal);
  }

  function showStatus() {
    const { status } = basket;
    const asked = basket.pending.map((what) => t(`pending.${what}`));
    const text = status === "pending" ? t("status.pending", { asked: asked.join(", ") }) : t(`status.${status}`);
    for (const id of ["status", "dock-status"]) {
      byId(id).className = `status is-${status}`;
      byId(id).replaceChildren(icon(STATES[status]), element("span", {}, text));
    }
  }

  async function explain() {
    showLedger();
    const { order, status, rows } = basket.snapshot;
    if (status !== "current" || rows.length === 0) return;
    const { order: priced, steps } = await shop.ledger.explain(order);
    if (basket.order !== order || basket.status !== "current") return;
    draw(priced, steps);
    explained = order;
    showLedger();
  }

  function showLedger() {
    const { ledger } = billOf(basket.snapshot, explained);
    byId("ledger").hidden = ledger === "none";
    byId("ledger").className = `ledger is-${ledger}`;
    byId("ledger-caption").textContent = t(`bill.caption.${ledger === "current" ? "current" : "outdated"}`);
    if (ledger === "none") forget();
  }

  /** What went out of sight does not come back: it belongs to a basket that nobody remembers. */
  function forget() {
    explained = undefined;
    byId("waterfall").replaceChildren();
    byId("facts").replaceChildren();
  }

  function draw(priced, steps) {
    byId("waterfall").replaceChildren(waterfall(barsOf(steps, priced, shop.zones)));
    byId("facts").replaceChildren(
      ...facts(priced).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
  }

  return { render };
}

/** The figures beside the total. */
function facts({
  productList,
  grandTotal,
  totalExcludeControlledProducts,
  totalWeight,
  totalDiscount,
  shippingDiscount,
}) {
  const cheaper = productList.reduce(
    (sum, { originalPrice, price, quantity }) => sum + (originalPrice - price) * quantity,
    0,
  );
  return [
    cheaper > 0 && [t("bill.cheaper"), money(Math.round(cheaper * 100) / 100)],
    totalDiscount + shippingDiscount > 0 && [t("bill.discounts"), money(totalDiscount)],
    totalExcludeControlledProducts !== grandTotal && [
      t("bill.withoutControlled"),
      money(totalExcludeControlledProducts),
    ],
    [t("bill.weight"), weight(totalWeight)],
  ].filter(Boolean);
}
