import { byId } from "../dom/index.js";
import { t } from "../page/index.js";
import { lineName } from "./product.js";

const SHOWN_MS = 10_000;

/**
 * Removes rows of the basket. A notice offers to take the last removal back. It stays while the visitor points at it or
 * is in it.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {{say: (text: string) => void}} announcer
 */
export function createUndo({ catalogue }, basket, announcer) {
  const notice = byId("undo");
  const button = byId("undo-button");
  let removed; // the last one: { row, line, product, focusBack, focused }
  let timer;

  button.addEventListener("click", takeBack);
  byId("undo-close").addEventListener("click", close);
  notice.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  for (const type of ["pointerenter", "focusin"]) notice.addEventListener(type, () => clearTimeout(timer));
  notice.addEventListener("pointerleave", () => notice.matches(":focus-within") || wait());
  notice.addEventListener("focusout", () => notice.matches(":hover") || wait());

  /**
   * Removes a row.
   * @param {string} key
   * @param {(key: string) => void} focusBack moves the focus to the row that came back
   * @param {number} [quantity] what it had before the visitor emptied its field
   */
  function remove(key, focusBack, quantity) {
    const line = basket.rows.findIndex((row) => row.key === key);
    if (line < 0) return;
    const row = basket.rows[line];
    const product = { ...basket.order.productList[line], quantity: quantity ?? row.quantity };
    basket.removeProduct(key);
    removed = { row, line, product, focusBack, focused: document.activeElement };
    render();
    announcer.say(t("undo.announced", { name: lineName(catalogue, row) }));
    notice.hidePopover();
    // From where the focus is now, Tab leads into the notice.
    notice.showPopover({ source: removed.focused });
    wait();
  }

  /** Puts the product back into the order as it is now: other edits since then stay. */
  function takeBack() {
    const { line, product, focusBack } = removed;
    const { order } = basket;
    const place = Math.min(line, order.productList.length);
    basket.replace({ ...order, productList: order.productList.toSpliced(place, 0, product) });
    close();
    focusBack(basket.rows[place].key);
  }

  function wait() {
    clearTimeout(timer);
    if (removed) timer = setTimeout(close, SHOWN_MS);
  }

  function close() {
    clearTimeout(timer);
    if (notice.contains(document.activeElement)) removed?.focused.focus();
    removed = undefined;
    notice.hidePopover();
  }

  function render() {
    if (removed) byId("undo-text").textContent = t("undo.removed", { name: lineName(catalogue, removed.row) });
  }

  return { remove, close, render };
}
