// How a product looks, everywhere on the page.
import { element, spoken } from "../dom/index.js";
import { currentLanguage, money, nameOf, priceTag, t } from "../page/index.js";

/** The pack in the colour of its aisle, with its size: products of one name differ by size. */
export function pack(product) {
  const [, size, measure = ""] = /^(?:Cup )?([\d.]+) (\S+)/.exec(product.unit) ?? [];
  const written = currentLanguage() === "en" ? measure : (THAI[measure] ?? measure);
  const times = /× (\d+)$/.exec(product.unit)?.[1];
  return element(
    "span",
    { class: `pack aisle-${Math.floor(product.category / 10)}`, "aria-hidden": "true" },
    element("b", {}, size),
    element("span", {}, times ? `${written} × ${times}` : written),
  );
}

const THAI = {
  g: "กรัม",
  kg: "กก.",
  ml: "มล.",
  L: "ลิตร",
  eggs: "ฟอง",
  tablets: "เม็ด",
  pieces: "ชิ้น",
  rolls: "ม้วน",
  sheets: "แผ่น",
};

/** Keeps a number and its unit on one line. */
export const productName = (product) => nameOf(product).replace(/(\d) (?=\p{L})/gu, "$1\u00a0");

/** The name of a row's product. An order may have a product that the shop does not know. */
export function lineName(catalogue, { cprcode, productName: ordered }) {
  const product = catalogue.product(cprcode);
  return product ? productName(product) : ordered;
}

/** The price, and a higher list price struck through. */
export function prices({ price, originalPrice = price }) {
  return element(
    "span",
    { class: "prices" },
    priceTag(price),
    originalPrice > price && element("s", {}, spoken(`${t("product.listPrice")} `), money(originalPrice)),
  );
}

export const mark = (kind, text) => element("span", { class: `mark mark-${kind}` }, text);

/**
 * What the visitor should know about a product at a branch.
 * @param {import("order-cost").PriceRecord | null | undefined} record its price there
 * @param {import("../model/shop.js").Branch} branch
 */
export function marks(record, branch) {
  return [
    record === undefined && mark("absent", t("product.absent", { branch: nameOf(branch) })),
    record?.isControlledProduct && mark("controlled", t("product.controlled")),
  ].filter(Boolean);
}
