import { byId, element, replaceKeepingFocus } from "../page/dom.js";
import { explainFailure } from "../model/failure.js";
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
 * @param {import("../model/live-basket.js").LiveBasket} live
 */
export function createBillView(shop, live) {
  let explained; // { priced, steps }: the last response and its steps

  function render() {
    const { totals, status } = live;
    byId("total").replaceChildren(priceTag(totals.grandTotal));
    byId("dock-total").textContent = money(totals.grandTotal);
    byId("subtotal").textContent = money(totals.subTotal);
    showStatus(status);
    renderFailure();
    showLedger();
  }

  function showStatus(status) {
    const asked = live.pending.map((what) => t(`pending.${what}`));
    const text = status === "pending" ? t("status.pending", { asked: asked.join(", ") }) : t(`status.${status}`);
    for (const id of ["status", "dock-status"]) {
      byId(id).className = `status is-${status}`;
      byId(id).replaceChildren(icon(STATES[status]), element("span", {}, text));
    }
  }

  // Drawn only after a change: a screen reader reads an alert again when it is drawn again.
  const renderFailure = whenChanged(
    () => [currentLanguage(), live.order.branchId, live.error?.code, live.error?.message],
    showFailure,
  );

  function showFailure() {
    const { error } = live;
    const box = byId("failure");
    box.hidden = error === null;
    if (error === null) return;
    const { text, mend } = explainFailure(error, shop, live);
    replaceKeepingFocus(
      box,
      element("h3", {}, t("failure.title")),
      element("p", {}, text),
      element("p", { class: "note" }, t("failure.lastTotals")),
      element(
        "div",
        { class: "buttons" },
        mend &&
          element("button", { type: "button", class: "button", "data-focus": "mend", click: mend.run }, mend.text),
        element(
          "button",
          { type: "button", class: "button", "data-focus": "retry", click: () => live.retry() },
          t("failure.retry"),
        ),
      ),
    );
  }

  async function showLedger() {
    const { priced } = live;
    const isFresh = live.isPriced;
    byId("ledger").classList.toggle("is-stale", !isFresh);
    byId("ledger").hidden = live.order.productList.length === 0;
    if (!isFresh || live.order.productList.length === 0) return;
    if (explained?.priced !== priced) {
      const { steps } = await shop.ledger.explain(live.order);
      if (live.priced !== priced) return;
      explained = { priced, steps };
    }
    draw(explained);
  }

  function draw({ priced, steps }) {
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
