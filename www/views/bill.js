import { byId, element } from "../page/dom.js";
import { money, priceTag, weight } from "../page/format.js";
import { icon } from "../page/icons.js";
import { currentLanguage, t } from "../page/language.js";
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
  function render() {
    renderTotals();
    renderStatus();
    renderLedger();
  }

  const renderTotals = whenChanged(() => [currentLanguage(), basket.totals], showTotals);
  const renderStatus = whenChanged(() => [currentLanguage(), basket.status, basket.pending], showStatus);
  const renderLedger = whenChanged(() => [currentLanguage(), basket.status, basket.order], showLedger);

  function showTotals() {
    const { grandTotal, subTotal } = basket.totals;
    byId("total").replaceChildren(priceTag(grandTotal));
    byId("dock-total").textContent = money(grandTotal);
    byId("subtotal").textContent = money(subTotal);
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

  async function showLedger() {
    const { order, status, rows } = basket.snapshot;
    byId("ledger").hidden = rows.length === 0;
    byId("ledger").classList.toggle("is-stale", status !== "current");
    if (status !== "current" || rows.length === 0) return;
    const { order: priced, steps } = await shop.ledger.explain(order);
    if (basket.order === order) draw(priced, steps);
  }

  function draw(priced, steps) {
    byId("waterfall").replaceChildren(waterfall(barsOf(steps, priced, shop.zones), t("bill.caption")));
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
