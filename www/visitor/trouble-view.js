import { byId, element, replaceKeepingFocus } from "../dom/index.js";
import { KINDS, retry, trouble } from "../model/index.js";
import { t } from "../page/index.js";

/**
 * Lets the visitor choose how the look-ups behave, and repeats them, unless the shop only changes its prices.
 * @param {import("order-cost").Basket} basket
 */
export function createTroubleView(basket) {
  function render() {
    const choices = KINDS.map((kind) => {
      const choose = () => {
        trouble.kind = kind;
        render();
        if (kind === "dearer") return; // the basket finds out when it asks the next time
        basket.refresh();
        retry(basket);
      };
      const attributes = {
        type: "button",
        class: "chip",
        "aria-pressed": String(trouble.kind === kind),
        "data-focus": `trouble-${kind}`,
        click: choose,
      };
      return element("button", attributes, t(`trouble.${kind}`));
    });
    replaceKeepingFocus(byId("trouble"), choices);
  }
  return { render };
}
