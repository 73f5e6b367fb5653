import { element } from "../page/dom.js";
import { icon } from "../page/icons.js";
import { t } from "../page/language.js";

const MAXIMUM_QUANTITY = 9999;

/**
 * A quantity with buttons for fewer and more. Fewer than one removes the product.
 * @param {object} options
 * @param {string} options.name the product's name in the labels
 * @param {string} options.focus prefix of the controls' `data-focus`
 * @param {string} [options.focusNext] where the focus goes when the stepper is removed
 * @param {number} options.quantity
 * @param {(quantity: number) => void} options.onChange
 * @param {() => void} options.onRemove
 */
export function stepper({ name, focus, focusNext, quantity, onChange, onRemove }) {
  let taken = quantity;
  const input = element("input", {
    class: "stepper-count",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 4,
    value: quantity,
    "aria-label": t("stepper.quantity", { name }),
    "data-focus": `${focus}-count`,
    input: () => isQuantity(input.value) && take(Number(input.value)),
    change: settle,
    focus: () => input.select(),
  });
  const step = (kind, label, press) =>
    element(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": label,
        click: press,
        "data-focus": `${focus}-${kind}`,
        "data-focus-next": focusNext,
      },
      icon(kind),
    );
  const take = (units) => {
    taken = units;
    onChange(units);
  };
  const by = (difference) => () => {
    const next = Math.min(Number(input.value) + difference, MAXIMUM_QUANTITY);
    if (!(next > 0)) return onRemove();
    input.value = next;
    take(next);
  };

  /** On leaving the field: empty or 0 removes the product, an invalid quantity changes nothing. */
  function settle() {
    if (Number(input.value) === 0) return onRemove();
    if (!isQuantity(input.value)) input.value = taken;
  }

  return element(
    "span",
    { class: "stepper" },
    step("minus", t("stepper.fewer", { name }), by(-1)),
    input,
    step("plus", t("stepper.more", { name }), by(1)),
  );
}

const isQuantity = (text) => /^\d{1,4}$/.test(text.trim());
