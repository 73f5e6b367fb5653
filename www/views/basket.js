import { byId, element, replaceKeepingFocus } from "../page/dom.js";
import { count, money } from "../page/format.js";
import { icon } from "../page/icons.js";
import { currentLanguage, nameOf, t } from "../page/language.js";
import { whenChanged } from "../page/memo.js";
import { marks, pack, prices, productName } from "./product.js";
import { modeName } from "./schedules.js";
import { stepper } from "./stepper.js";

/**
 * The products of the order. While the visitor types into a row, the row stays; only its results are drawn again.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("../model/live-basket.js").LiveBasket} live
 */
export function createBasketView({ catalogue, branches, examples }, live) {
  const list = byId("basket-lines");
  let rows = [];

  function render() {
    const { order } = live;
    renderRows();
    live.rows.forEach((row, line) => rows[line].show(row));

    const units = order.productList.reduce((sum, { quantity }) => sum + quantity, 0);
    const text = t("basket.count", { lines: order.productList.length, units });
    byId("basket-count").textContent = text;
    byId("dock-count").textContent = count(units);
    byId("basket-empty").hidden = order.productList.length > 0;
    renderExamples();
  }

  const renderExamples = whenChanged(currentLanguage, () =>
    replaceKeepingFocus(byId("examples"), examples.map(exampleButton)),
  );

  const renderRows = whenChanged(
    () => [
      currentLanguage(),
      live.order.branchId,
      schedulesOf(live.order),
      live.order.productList.map(({ cprcode, scheduleId }) => [cprcode, scheduleId]),
    ],
    buildRows,
  );

  function buildRows() {
    const { order } = live;
    const branch = branches.find(({ branchId }) => branchId === order.branchId);
    rows = order.productList.map((product, line) => createRow(product, line, branch, schedulesOf(order)));
    const isHeld = list.contains(document.activeElement);
    replaceKeepingFocus(
      list,
      rows.map(({ node }) => node),
    );
    if (isHeld && !list.contains(document.activeElement)) byId("basket-title").focus();
  }

  function createRow({ cprcode, quantity, productName: ordered, scheduleId = 0 }, line, branch, schedules) {
    const product = catalogue.product(cprcode);
    const record = catalogue.priceAt(cprcode, branch.branchId);
    const name = product ? productName(product) : ordered;
    const focus = `line-${line}`;
    const remove = () => live.edit((basket) => basket.removeProduct(line));
    const counter = stepper({
      name,
      focus,
      focusNext: `line-${line - 1}-remove`,
      quantity,
      onChange: (units) => live.edit((basket) => basket.setQuantity(line, units)),
      onRemove: remove,
    });
    const unit = element("span", { class: "line-unit" });
    const total = element("strong", { class: "line-total" });
    const node = element(
      "li",
      { class: record ? "line" : "line is-absent" },
      product && pack(product),
      element(
        "div",
        { class: "line-text" },
        element("h3", { lang: currentLanguage() }, name),
        element("p", { class: "marks" }, unit, ...marks(record, branch)),
        schedules.length > 1 && schedulePicker({ line, scheduleId, schedules, name }),
      ),
      element(
        "div",
        { class: "line-amount" },
        total,
        element(
          "span",
          { class: "line-edit" },
          counter,
          element(
            "button",
            {
              type: "button",
              class: "icon-button quiet",
              "aria-label": t("basket.remove", { name }),
              "data-focus": `${focus}-remove`,
              "data-focus-next": `line-${line - 1}-remove`,
              click: remove,
            },
            icon("remove"),
          ),
        ),
      ),
    );
    const input = counter.querySelector("input");
    const show = (row) => {
      if (document.activeElement !== input) input.value = row.quantity;
      unit.replaceChildren(row.price === null ? t("basket.noPrice") : prices(row));
      total.textContent = row.price === null ? "—" : money(row.rowTotal);
    };
    return { node, show };
  }

  function schedulePicker({ line, scheduleId, schedules, name }) {
    const pick = ({ target }) => live.moveToSchedule(line, Number(target.value));
    return element(
      "span",
      { class: "select small" },
      element(
        "select",
        { "aria-label": t("basket.goesWith", { name }), "data-focus": `line-${line}-schedule`, change: pick },
        ...schedules.map((schedule, index) =>
          element(
            "option",
            { value: schedule.scheduleId, selected: schedule.scheduleId === scheduleId },
            `${index + 1} · ${modeName(schedule)}`,
          ),
        ),
      ),
    );
  }

  function exampleButton({ title, order }, index) {
    const load = () => {
      history.pushState(null, "", location.href); // the back button restores the old basket
      live.replace(order);
    };
    return element(
      "button",
      { type: "button", class: "chip", "data-focus": `example-${index}`, click: load },
      nameOf(title),
    );
  }

  return { render };
}

/** The delivery slots that a product can choose. */
function schedulesOf({ shipping }) {
  if (shipping?.shippingType !== "DELIVERY") return [];
  return (shipping.scheduleList ?? []).map(({ scheduleId = 0, mode }) => ({ scheduleId, mode }));
}
