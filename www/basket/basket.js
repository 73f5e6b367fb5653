import { modeName } from "../delivery/index.js";
import { arrange, byId, element, heldIn, icon, replaceKeepingFocus, whenChanged } from "../dom/index.js";
import { isRetryable, quantityOf, retry, withOpenSlots } from "../model/index.js";
import { count, currentLanguage, customersWords, money, nameOf, t } from "../page/index.js";
import { lineName, mark, pack, prices } from "./product.js";
import { stepper } from "./stepper.js";

/**
 * The products of the order. A row's node lives as long as the row; only what has changed in it is drawn again.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {{remove: (key: string, focusBack: (key: string) => void, quantity?: number) => void}} undo
 * @param {(order: import("order-cost").OrderInput) => void} load shows another order
 */
export function createBasketView({ catalogue, examples }, basket, undo, load) {
  const list = byId("basket-lines");
  let lines = new Map(); // the shown rows by their keys: { node, show }

  function render() {
    renderAll();
    renderRows();
    renderExamples();
  }

  const isAwaited = () => basket.pending.includes("prices");

  const renderExamples = whenChanged(
    () => [currentLanguage()],
    () => replaceKeepingFocus(byId("examples"), examples.map(exampleButton)),
  );

  /** Every row shows the language and the delivery slots. */
  const renderAll = whenChanged(
    () => [currentLanguage(), basket.order.shipping?.shippingType, basket.order.shipping?.scheduleList],
    () => {
      lines = new Map();
      replaceKeepingFocus(list, nodesOf(basket.rows));
    },
  );

  const renderRows = whenChanged(
    () => [currentLanguage(), basket.rows, isAwaited()],
    () => {
      const { rows } = basket;
      const held = heldIn(list)?.closest("li");
      const place = held ? [...list.children].indexOf(held) : -1;
      arrange(list, nodesOf(rows));
      if (held && !held.isConnected) focusNear(place);

      const units = rows.reduce((sum, { quantity }) => sum + quantity, 0);
      byId("basket-count").textContent = t("basket.count", { lines: rows.length, units });
      byId("dock-count").textContent = count(units);
      byId("basket-empty").hidden = rows.length > 0;
    },
  );

  function nodesOf(rows) {
    lines = new Map(rows.map((row) => [row.key, lines.get(row.key) ?? createLine(row)]));
    for (const row of rows) lines.get(row.key).show(row, isAwaited());
    return [...lines.values()].map(({ node }) => node);
  }

  /** Where the removed row was is now the next one. */
  function focusNear(place) {
    const next = list.children[Math.min(place, list.children.length - 1)];
    /** @type {HTMLElement | null | undefined} */
    const button = next?.querySelector(".line-remove");
    (button ?? byId("basket-title")).focus();
  }

  /** For a row that came back. */
  const focusLine = (key) => lines.get(key).node.focus();

  function createLine({ key, cprcode, productName }) {
    const product = catalogue.product(cprcode);
    const name = lineName(catalogue, { cprcode, productName });
    const schedules = schedulesOf(basket.order);
    const remove = (units) => undo.remove(key, focusLine, units);
    const counter = stepper({
      name,
      focus: key,
      quantity: () => quantityOf(basket, key),
      onChange: (units) => basket.setQuantity(key, units),
      onRemove: remove,
    });
    const input = /** @type {HTMLInputElement} */ (counter.querySelector("input"));
    const unit = element("span", { class: "line-unit" });
    const controlled = mark("controlled", t("product.controlled"));
    const total = element("strong", { class: "line-total" });
    const picker = schedules.length > 1 && schedulePicker(key, schedules, name);
    const problem = element("div", { class: "line-problem", hidden: true });
    const attributes = {
      type: "button",
      class: "icon-button quiet line-remove",
      "aria-label": t("basket.remove", { name }),
      "data-focus": `${key}-remove`,
      click: () => remove(),
    };
    const node = element(
      "li",
      { class: "line", tabindex: "-1" },
      product && pack(product),
      element(
        "div",
        { class: "line-text" },
        element("h3", { lang: currentLanguage() }, name),
        element("p", { class: "marks" }, unit, controlled),
        picker && element("span", { class: "select small" }, picker),
      ),
      element(
        "div",
        { class: "line-amount" },
        total,
        element("span", { class: "line-edit" }, counter, element("button", attributes, icon("remove"))),
      ),
      problem,
    );

    let shown = []; // what the node shows: the row, and whether its price is awaited
    function show(row, isAwaited) {
      if (row === shown[0] && isAwaited === shown[1]) return;
      const isOpen = row.price === null && row.problem === null && isAwaited;
      if (document.activeElement !== input) input.value = String(row.quantity);
      if (picker) picker.value = String(row.scheduleId);
      unit.replaceChildren(row.price !== null ? prices(row) : isOpen ? "…" : row.problem ? "" : t("basket.noPrice"));
      controlled.hidden = !row.isControlledProduct;
      total.textContent = row.price !== null ? money(row.rowTotal) : isOpen ? "…" : "—";
      if (row.problem !== (shown[0]?.problem ?? null)) showProblem(row.problem);
      shown = [row, isAwaited];
    }

    function showProblem(next) {
      const isHeld = problem.contains(document.activeElement);
      node.classList.toggle("is-absent", next !== null);
      problem.hidden = next === null;
      const action = (kind, text, click) =>
        element("button", { type: "button", class: "button small", "data-focus": `${key}-${kind}`, click }, text);
      replaceKeepingFocus(
        problem,
        next && [
          element("p", {}, icon("warning"), element("span", {}, customersWords(next, name))),
          isRetryable(next) && action("retry", t("failure.retry"), () => retry(basket)),
          action("mend", t("mend.removeProduct"), () => remove()),
        ],
      );
      if (isHeld && !problem.contains(document.activeElement)) node.focus();
    }

    return { node, show };
  }

  function schedulePicker(key, schedules, name) {
    const pick = ({ target }) => basket.updateProduct(key, { scheduleId: Number(target.value) });
    return element(
      "select",
      { "aria-label": t("basket.goesWith", { name }), "data-focus": `${key}-schedule`, change: pick },
      ...schedules.map((schedule, index) => element("option", { value: schedule.scheduleId ?? 0 }, `${index + 1} · ${modeName(schedule)}`)),
    );
  }

  function exampleButton({ title, order }, index) {
    const choose = () => {
      history.pushState(null, "", location.href); // the back button restores the old basket
      load(withOpenSlots(order));
    };
    return element("button", { type: "button", class: "chip", "data-focus": `example-${index}`, click: choose }, nameOf(title));
  }

  /** Moves the focus to the first row that says what is wrong with it. */
  function focusProblem() {
    /** @type {HTMLElement | null} */
    const button = list.querySelector(".line-problem:not([hidden]) button");
    button?.focus();
  }

  return { render, focusProblem };
}

/**
 * The delivery slots that a product can choose.
 * @param {import("order-cost").Basket["order"]} order
 */
function schedulesOf({ shipping }) {
  return shipping?.shippingType === "DELIVERY" ? (shipping.scheduleList ?? []) : [];
}
