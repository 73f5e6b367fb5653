/**
 * @typedef {import("./shop.js").Named & { category: number }} Category
 * @typedef {Category & { cprcode: number, unit: string, weight: number }} Product
 */

/** A product code starts with the two digits of its category; the first of them is its aisle. */
export const AISLES = [1, 2, 3, 4, 5, 6, 7];
const aisleOf = ({ category }) => Math.floor(category / 10);

/** The products of the shop, and what each costs at a branch. */
export class Catalogue {
  #listed;
  #branchIds;
  #version;
  /** @type {Map<string, Map<number, import("order-cost").PriceRecord>>} */
  #prices = new Map(); // by branch, then by product
  /** @type {Map<Product, string>} */
  #texts = new Map(); // the searchable text of each product that was searched
  #categories;
  /** @type {Map<number, Product>} */
  #byCode = new Map();

  /**
   * @param {{categories: Category[], products: Product[]}} seed products.json
   * @param {{branchId: string}[]} branches
   * @param {import("order-cost/catalogue").CatalogueVersion} version
   */
  constructor({ categories, products }, branches, version) {
    this.#listed = products;
    this.products = interleaved(products, () => false);
    this.#branchIds = branches.map(({ branchId }) => branchId);
    this.#version = version;
    this.#categories = new Map(categories.map((category) => [category.category, category]));
    for (const product of products) this.#byCode.set(product.cprcode, product);
  }

  /**
   * Reads the prices of branches that are not known yet. Without a network they may be out of reach. Returns whether some
   * have come.
   */
  async load() {
    const unknown = this.#branchIds.filter((branchId) => !this.#prices.has(branchId));
    const read = await Promise.allSettled(unknown.map((branchId) => this.#loadBranch(branchId)));
    if (!read.some(({ status }) => status === "fulfilled")) return false;
    this.products = interleaved(this.#listed, ({ cprcode }) => isOffer(this.priceAt(cprcode, this.#branchIds[0])));
    return true;
  }

  async #loadBranch(branchId) {
    const codes = [...this.#byCode.keys()];
    const records = await this.#version.lookupPrices(codes.map((cprcode) => ({ cprcode, branchId })));
    const sold = codes.map((cprcode, index) => [cprcode, records[index]]).filter(([, record]) => record);
    this.#prices.set(branchId, new Map(sold.map(([cprcode, record]) => [cprcode, JSON.parse(record)])));
  }

  /** @param {number} cprcode */
  product(cprcode) {
    return this.#byCode.get(cprcode);
  }

  /**
   * The price record of a product at a branch; undefined if the branch does not sell it, null if that is not known.
   * @param {number} cprcode
   * @param {string} branchId
   */
  priceAt(cprcode, branchId) {
    const ofBranch = this.#prices.get(branchId);
    return ofBranch ? ofBranch.get(cprcode) : null;
  }

  /** @param {Product} product */
  #textOf(product) {
    const known = this.#texts.get(product);
    if (known !== undefined) return known;
    const category = this.#categories.get(product.category);
    const text = [product.en, product.th, category?.en, category?.th].join("\n").toLowerCase();
    this.#texts.set(product, text);
    return text;
  }

  /**
   * The products that match every word, in English, in Thai or by code.
   * @param {{words: string, aisle: number | "offers" | "all", branchId: string}} wanted
   */
  search({ words, aisle, branchId }) {
    const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
    return this.products.filter((product) => {
      if (aisle === "offers" && !isOffer(this.priceAt(product.cprcode, branchId))) return false;
      if (typeof aisle === "number" && aisleOf(product) !== aisle) return false;
      return parts.every((part) => this.#textOf(product).includes(part) || isCode(part, product));
    });
  }
}

/** At least four digits of a code: fewer digits are a size. */
const isCode = (part, { cprcode }) => /^\d{4,}$/.test(part) && String(cprcode).startsWith(part);

/** @param {import("order-cost").PriceRecord | null | undefined} record */
const isOffer = (record) => (record ? (record.originalPrice ?? 0) > record.price : false);

/** Takes one product of each category in turn, offers first, like a walk through a shop. */
function interleaved(products, isOnOffer) {
  const turns = new Map();
  for (const list of Map.groupBy(products, ({ category }) => category).values()) {
    list.sort((left, right) => isOnOffer(right) - isOnOffer(left));
    list.forEach((product, turn) => turns.set(product, turn));
  }
  const turn = (product) => turns.get(product) * 10 + (product.category % 10);
  return products.toSorted((left, right) => turn(left) - turn(right));
}
