import { waterfall } from "../chart/index.js";
import { byId, element, icon, whenChanged } from "../dom/index.js";
import { billOf } from "../model/index.js";
import { currentLanguage, known, longDate, money, priceTag, signed, t, weight } from "../page/index.js";
import { ledgerBars } from "./ledger.js";

const STATES = /** @type {const} */ ({ current: "check", unchecked: "waiting", pending: "waiting", failed: "warning" });

/**
 * The bill: the total of what is known, and the steps that lead to it.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createBillView({ version, zones }, basket) {
  function render() {
    renderTotals();
    renderStatus();
    renderLedger();
  }

  const renderTotals = whenChanged(() => [currentLanguage(), basket.status, basket.totals, basket.rows], showTotals);
  const renderStatus = whenChanged(() => [currentLanguage(), basket.status, basket.pending, basket.rows, navigator.onLine], showStatus);
  const renderLedger = whenChanged(() => {
    const { status, totals, rows, shipping, discountResult, validVouchers } = basket.snapshot;
    return [currentLanguage(), status, totals, rows, shipping, discountResult, validVouchers];
  }, showLedger);

  function showTotals() {
    const { status, total, subTotal, settled } = billOf(basket.snapshot);
    for (const id of ["total-label", "dock-label"]) byId(id).textContent = t(`bill.total.${status}`);
    byId("total").className = `total is-${status}`;
    byId("total").replaceChildren(priceTag(total));
    byId("dock-total").textContent = known(total);
    byId("subtotal").textContent = known(subTotal);
    byId("settled").hidden = settled === null;
    byId("settled").textContent = settled === null ? "" : t("bill.settled", { total: money(settled) });
  }

  function showStatus() {
    const { status } = basket;
    const shown = status === "current" && !navigator.onLine ? "unchecked" : status;
    for (const id of ["status", "dock-status"]) {
      byId(id).className = `status is-${status}`;
      byId(id).classList.toggle("is-unchecked", shown === "unchecked");
      byId(id).replaceChildren(icon(STATES[shown]), element("span", {}, t(`status.${shown}`, { asked: asked() })));
    }
    showNetwork();
  }

  const asked = () => basket.pending.map((what) => t(`pending.${what}`)).join(", ");

  function showNetwork() {
    byId("network").hidden = navigator.onLine;
    byId("network").textContent = t("network.asOf", { date: longDate(new Date(version.activatedAt)) });
  }

  function showLedger() {
    const { ledger } = billOf(basket.snapshot);
    const isDrawn = ["partial", "current"].includes(ledger);
    byId("ledger").hidden = ledger === "none";
    byId("ledger").className = `ledger is-${ledger}`;
    byId("ledger-caption").textContent = t(`bill.caption.${ledger === "partial" ? "partial" : "current"}`);
    byId("waterfall").replaceChildren(...(isDrawn ? [drawing()] : []));
    byId("facts").replaceChildren(...(isDrawn ? figures(basket.snapshot, version.id) : []));
  }

  const drawing = () => waterfall(ledgerBars(basket.explain().steps, basket.snapshot, zones), "ledger-caption", { money, signed });

  return { render };
}

/**
 * The figures beside the total, as the items of a `dl`.
 * @typedef {Pick<import("order-cost").BasketRow, "price" | "originalPrice" | "quantity">} Row
 *
 * @param {{ rows: readonly Row[], totals: Readonly<import("order-cost").Totals> }} priced
 * @param {string} [version] of the prices
 */
export function figures({ rows, totals }, version) {
  const { grandTotal, totalExcludeControlledProducts, totalWeight, totalDiscount, shippingDiscount } = totals;
  const cheaper = rows.reduce((sum, { originalPrice, price, quantity }) => sum + ((originalPrice ?? 0) - (price ?? 0)) * quantity, 0);
  /** @type {([name: string, value: string | Node] | false | "" | undefined)[]} */
  const shown = [
    cheaper > 0 && [t("bill.cheaper"), money(Math.round(cheaper * 100) / 100)],
    totalDiscount + shippingDiscount > 0 && [t("bill.discounts"), money(totalDiscount)],
    totalExcludeControlledProducts !== grandTotal && [t("bill.withoutControlled"), money(totalExcludeControlledProducts)],
    [t("bill.weight"), weight(totalWeight)],
    version && [t("bill.version"), element("span", { class: "code" }, version)],
  ];
  return shown.filter((figure) => !!figure).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
}
