import { byId } from "../page/dom.js";
import { indentJson } from "../model/json.js";
import { t } from "../page/language.js";

/**
 * Shows the raw request, response and steps in a dialog.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createRawView({ ledger }, basket) {
  const dialog = byId("raw");
  byId("show-raw").addEventListener("click", open);
  byId("close-raw").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  for (const button of dialog.querySelectorAll("[data-copy]")) {
    button.hidden = navigator.clipboard === undefined; // on plain http
    button.addEventListener("click", () => copy(button));
  }

  async function open() {
    const request = JSON.stringify(basket.order);
    byId("raw-request").textContent = indentJson(request);
    byId("raw-response").textContent = indentJson(await respond(request));
    byId("raw-ledger").textContent = await explain();
    dialog.showModal();
  }

  /** A failure is a response too: the edge would answer this. */
  async function respond(request) {
    try {
      return new TextDecoder().decode(await ledger.calculateJson(request));
    } catch (error) {
      return JSON.stringify(error);
    }
  }

  /** An order without a price has no steps. */
  async function explain() {
    const { steps } = await ledger.explain(basket.order).catch(() => ({ steps: [] }));
    return indentJson(JSON.stringify(steps));
  }

  async function copy(button) {
    await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
    button.textContent = t("raw.copied");
    setTimeout(() => (button.textContent = t("raw.copy")), 2000);
  }
}
