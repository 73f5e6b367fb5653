import { byId } from "../dom/index.js";
import { indentJson, responseOf } from "../orders/index.js";
import { t } from "../page/index.js";

/**
 * Shows the raw request, response and steps in a dialog.
 * @param {import("order-cost").Basket} basket
 */
export function createRawView(basket) {
  const dialog = byId("raw", HTMLDialogElement);
  byId("show-raw").addEventListener("click", open);
  byId("close-raw").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  /** @type {NodeListOf<HTMLElement>} */
  const copyButtons = dialog.querySelectorAll("[data-copy]");
  for (const button of copyButtons) {
    button.hidden = navigator.clipboard === undefined; // on plain http
    button.addEventListener("click", () => copy(button));
  }

  function open() {
    byId("raw-request").textContent = indentJson(JSON.stringify(basket.order));
    byId("raw-response").textContent = indentJson(responseOf(basket));
    byId("raw-ledger").textContent = indentJson(JSON.stringify(basket.explain().steps));
    dialog.showModal();
  }

  async function copy(button) {
    await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
    button.textContent = t("raw.copied");
    setTimeout(() => (button.textContent = t("raw.copy")), 2000);
  }
}
