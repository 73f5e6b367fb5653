import { element, icon } from "../dom/index.js";
import { t } from "../page/index.js";

const MAXIMUM_QUANTITY = 9999;

/**
 * A quantity with buttons for fewer and more. Fewer than one removes the product.
 * @param {object} options
 * @param {string} options.name the product's name in the labels
 * @param {string} options.focus prefix of the controls' `data-focus`
 * @param {string} [options.focusNext] where the focus goes when the stepper is removed
 * @param {() => number} options.quantity what the basket has now
 * @param {(quantity: number) => void} options.onChange
 * @param {(quantity: number) => void} options.onRemove gets the quantity before the visitor emptied the field
 */
export function stepper({ name, focus, focusNext, quantity, onChange, onRemove }) {
  let before = quantity();
  const input = element("input", {
    class: "stepper-count",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 4,
    value: before,
    "aria-label": t("stepper.quantity", { name }),
    "data-focus": `${focus}-count`,
    input: () => isQuantity(input.value) && onChange(Number(input.value)),
    change: settle,
    focus: () => {
      before = quantity();
      input.select();
    },
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
  const by = (difference) => () => {
    const next = Math.min(Number(input.value) + difference, MAXIMUM_QUANTITY);
    if (!(next > 0)) return onRemove(quantity());
    input.value = String(next);
    onChange(next);
  };

  /**
   * On leaving the field: empty or 0 removes the product, an invalid quantity changes nothing. Removes it once the focus
   * has moved on, so that the focus does not end in what is gone.
   */
  function settle() {
    if (Number(input.value) === 0) setTimeout(() => onRemove(before));
    else if (!isQuantity(input.value)) input.value = String(quantity());
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
