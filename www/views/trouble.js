import { byId, element, replaceKeepingFocus } from "../page/dom.js";
import { t } from "../page/language.js";
import { KINDS, trouble } from "../model/trouble.js";

/**
 * Lets the visitor choose how the look-ups behave, and repeats them.
 * @param {() => void} askAgain
 */
export function createTroubleView(askAgain) {
  function render() {
    const choices = KINDS.map((kind) => {
      const choose = () => {
        trouble.kind = kind;
        render();
        askAgain();
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
