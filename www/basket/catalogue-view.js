import { byId, element, focusable, icon, replaceKeepingFocus, whenChanged } from "../dom/index.js";
import { AISLES, addUnit, quantityOf } from "../model/index.js";
import { currentLanguage, percent, t } from "../page/index.js";
import { mark, marks, pack, prices, productName } from "./product.js";
import { stepper } from "./stepper.js";

const FIRST = matchMedia("(min-width: 46rem)").matches ? 12 : 6;
const MORE = 24;

/**
 * The products of the shop: search, aisles, and as many cards as the visitor asked for.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {{remove: (key: string, focusBack: (key: string) => void, quantity?: number) => void}} undo
 */
export function createCatalogueView({ catalogue, branches }, basket, undo) {
  const search = byId("search", HTMLInputElement);
  const grid = byId("products");
  /** @type {number | "all" | "offers"} */
  let aisle = "all";
  let shown = FIRST;

  search.addEventListener("input", () => {
    shown = FIRST;
    render();
  });
  byId("more").addEventListener("click", showMore);

  function render() {
    renderCards();
    for (const { cprcode, quantity } of basket.rows) {
      /** @type {HTMLInputElement | null} */
      const input = grid.querySelector(`[data-focus="card-${cprcode}-count"]`);
      if (input && input !== document.activeElement) input.value = String(quantity); // not while the visitor types there
    }
  }

  const renderCards = whenChanged(
    () => [currentLanguage(), catalogue.products, search.value, aisle, shown, basket.order.branchId, [...keysOf(basket)].join()],
    drawCards,
  );

  function drawCards() {
    const branchId = basket.order.branchId ?? "";
    const found = catalogue.search({ words: search.value, aisle, branchId });
    const branch = branches.find((candidate) => candidate.branchId === branchId);
    const keys = keysOf(basket);

    replaceKeepingFocus(byId("aisles"), ["all", "offers", ...AISLES].map(chip));
    replaceKeepingFocus(
      grid,
      found.slice(0, shown).map((product) => card(product, branch, keys.get(product.cprcode))),
    );
    byId("found").textContent = found.length === 0 ? t("catalogue.none") : t("catalogue.found", { count: found.length });
    byId("more").hidden = found.length <= shown;
    byId("more").textContent = t("catalogue.more", { count: Math.min(MORE, found.length - shown) });
  }

  /** Moves the focus to the first new card. */
  function showMore() {
    const next = shown;
    shown += MORE;
    render();
    grid.children[next]?.querySelector("button")?.focus();
  }

  function chip(kind) {
    const press = () => {
      aisle = kind;
      shown = FIRST;
      render();
    };
    const attributes = {
      type: "button",
      class: "chip",
      "aria-pressed": String(aisle === kind),
      "data-focus": `aisle-${kind}`,
      click: press,
    };
    return element("button", attributes, t(`aisle.${kind}`));
  }

  function card(product, branch, key) {
    const record = catalogue.priceAt(product.cprcode, branch.branchId);
    return element(
      "li",
      { class: record === undefined ? "card is-absent" : "card" },
      pack(product),
      element(
        "div",
        { class: "card-text" },
        element("h3", { lang: currentLanguage() }, productName(product)),
        element("p", { class: "marks" }, saving(record), ...marks(record, branch)),
      ),
      element("div", { class: "card-buy" }, record && prices(record), buying(product, record, key)),
    );
  }

  function saving(record) {
    const { price, originalPrice = price } = record ?? {};
    return (
      price < originalPrice && mark("offer", t("product.saving", { share: percent(Math.round(100 - (price / originalPrice) * 100) / 100) }))
    );
  }

  function buying(product, record, key) {
    const { cprcode } = product;
    const name = productName(product);
    const focus = `card-${cprcode}`;
    if (key !== undefined) {
      return stepper({
        name,
        focus,
        focusNext: `${focus}-plus`,
        quantity: () => quantityOf(basket, key),
        onChange: (quantity) => basket.setQuantity(key, quantity),
        onRemove: (quantity) => undo.remove(key, () => focusCard(cprcode), quantity),
      });
    }
    const add = () => addUnit(basket, product);
    const attributes = {
      type: "button",
      class: "add",
      disabled: record === undefined,
      "aria-label": t("catalogue.add", { name }),
      "data-focus": `${focus}-plus`,
      click: add,
    };
    return element("button", attributes, icon("plus"));
  }

  const focusCard = (cprcode) => focusable(grid, `card-${cprcode}-plus`)?.focus();

  return { render };
}

/** The keys of the basket's rows, by the codes of their products. */
const keysOf = ({ rows }) => new Map(rows.map(({ cprcode, key }) => [cprcode, key]));
