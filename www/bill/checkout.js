import { basketChanges, changeText, english, thai } from "order-cost/messages";
import { lineName } from "../basket/index.js";
import { byId, element } from "../dom/index.js";
import { retry } from "../model/index.js";
import { currentLanguage, money, t } from "../page/index.js";

/** The package's words, with amounts as everywhere on the page. */
const WORDS = { en: { ...english, money }, th: { ...thai, money } };

/**
 * Orders the basket, after the shop was asked for everything again. What became different without the customer's doing
 * needs one confirmation.
 * @typedef {import("order-cost/messages").BasketChange} Change
 *
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createCheckoutView({ catalogue }, basket) {
  const start = byId("order", HTMLButtonElement);
  const dialog = byId("checkout", HTMLDialogElement);
  /** @type {typeof basket.order | undefined} */
  let checked; // the order that the dialog is about

  start.addEventListener("click", check);
  byId("checkout-back").addEventListener("click", () => dialog.close());
  byId("checkout-confirm").addEventListener("click", () => show("done"));

  async function check() {
    if (start.getAttribute("aria-busy") === "true") return;
    start.setAttribute("aria-busy", "true");
    const { order } = basket;
    await retry(basket); // what is not known yet is no change
    const seen = basket.snapshot;
    basket.refresh();
    await retry(basket);
    start.removeAttribute("aria-busy");
    if (basket.order !== order) return; // the customer goes on shopping
    if (basket.status !== "current") return byId("failure").querySelector("button")?.focus();
    checked = order;
    const changes = basketChanges(seen, basket.snapshot);
    const isSame = changes.length === 0 && seen.totals.grandTotal === basket.totals.grandTotal;
    show(isSame ? "done" : "changed", changes, seen.totals.grandTotal);
    dialog.showModal();
  }

  /**
   * @param {"done" | "changed"} state
   * @param {Change[]} [changes]
   * @param {number} [before] the total that the customer saw
   */
  function show(state, changes = [], before = basket.totals.grandTotal) {
    const total = money(basket.totals.grandTotal);
    const isDone = state === "done";
    byId("checkout-title").textContent = t(`checkout.${state}`);
    byId("checkout-changes").replaceChildren(...changes.map((change) => element("li", {}, textOf(change))));
    byId("checkout-total").textContent = isDone ? t("checkout.paid", { total }) : t("checkout.newTotal", { before: money(before), total });
    byId("checkout-note").textContent = isDone ? t("checkout.invented") : "";
    byId("checkout-confirm").hidden = isDone;
    byId("checkout-confirm").textContent = t("checkout.confirm", { total });
    byId("checkout-back").textContent = t(isDone ? "checkout.close" : "checkout.back");
    if (isDone) byId("checkout-back").focus();
  }

  /**
   * The order names its products in Thai.
   * @param {Change} change
   */
  function textOf(change) {
    const row = "key" in change && basket.rows.find(({ key }) => key === change.key);
    return changeText(row ? { ...change, productName: lineName(catalogue, row) } : change, WORDS[currentLanguage()]);
  }

  /** Another basket, as by the back button, needs a check of its own. */
  function render() {
    start.disabled = basket.rows.length === 0;
    if (dialog.open && basket.order !== checked) dialog.close();
  }

  return { render };
}
