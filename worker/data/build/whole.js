// A version out of whole files: bases that branches share, and what each branch has instead.
import { TOMBSTONE } from "order-cost/internal";
import { clustersOf, commonest, sampleOf } from "./bases.js";
import { LayerMaker, writeAllUntil } from "./layers.js";

/**
 * @typedef {{ name: string, layer: LayerMaker, branches: Branch[] }} Base
 * @typedef {{ records: number, layer: LayerMaker, base: Base | undefined }} Branch
 * @typedef {(layer: LayerMaker, record: string) => void} Take
 * @typedef {{ branch: Branch, record: string }} Own
 */

/**
 * How the records of whole files are divided among layers. First `count` all products, then `write`.
 */
export class Division {
  /** @type {Map<string, Branch>} */
  #branches = new Map();
  /** @type {Base[]} */
  #bases = [];

  /** @param {import("../files/sorter.js").Sorter} sorter with all rows */
  static async of(sorter) {
    const branchIds = sorter.branchIds.toSorted();
    return new Division(clustersOf(branchIds, await sampleOf(sorter)));
  }

  /** @param {string[][]} clusters the branches of each */
  constructor(clusters) {
    for (const branchIds of clusters) {
      /** @type {Base | undefined} */
      const base = branchIds.length > 1 ? { name: `${this.#bases.length + 1}`, layer: new LayerMaker(), branches: [] } : undefined;
      if (base) this.#bases.push(base);
      for (const branchId of branchIds) {
        const branch = { records: 0, layer: new LayerMaker(), base };
        this.#branches.set(branchId, branch);
        base?.branches.push(branch);
      }
    }
  }

  /** @param {import("../files/sorter.js").Product} product */
  count = (product) => {
    for (const { branchId } of product.rows) this.#branch(branchId).records += 1;
    this.#divide(product, (layer, record) => layer.count(product.cprcode, record));
  };

  /**
   * Each row has one of the branches.
   * @param {string} branchId
   */
  #branch(branchId) {
    return /** @type {Branch} */ (this.#branches.get(branchId));
  }

  /**
   * Gives each layer its records of a product.
   * @param {import("../files/sorter.js").Product} product
   * @param {Take} take
   */
  #divide({ rows }, take) {
    /** @type {Map<Base, Own[]>} */
    const shared = new Map();
    for (const { branchId, record } of rows) {
      const branch = this.#branch(branchId);
      const others = branch.base && shared.get(branch.base);
      if (!branch.base) take(branch.layer, record);
      else if (others) others.push({ branch, record });
      else shared.set(branch.base, [{ branch, record }]);
    }
    for (const [base, own] of shared) divideShared(base, own, take);
  }

  /**
   * @param {import("../files/sorter.js").Sorter} sorter
   * @param {import("../versions/texts.js").TextFolder} folder
   * @param {number | undefined} shardBytes
   * @param {(rows: number) => void} onDone
   * @returns {Promise<Pick<import("order-cost/internal").Manifest, "bases" | "branches">>}
   */
  async write(sorter, folder, shardBytes, onDone) {
    const makers = this.#begin(folder, shardBytes);
    for await (const { products, end } of sorter.buckets()) {
      for (const product of products) {
        this.#divide(product, (layer, record) => layer.add(product.cprcode, record));
        onDone(product.rows.length);
      }
      await writeAllUntil(makers, end);
    }
    return this.#finish();
  }

  /**
   * @param {import("../versions/texts.js").TextFolder} folder
   * @param {number | undefined} shardBytes
   */
  #begin(folder, shardBytes) {
    const branches = [...this.#branches.values()];
    for (const { layer } of this.#bases) layer.begin(folder, { hasFilter: false, shardBytes });
    for (const { layer, base } of branches) layer.begin(folder, { hasFilter: isShared(base), shardBytes });
    return [...this.#bases, ...branches].map(({ layer }) => layer);
  }

  async #finish() {
    /** @type {Record<string, string[]>} */
    const bases = {};
    for (const base of this.#bases.filter(isShared)) bases[base.name] = [await base.layer.finish()];
    /** @type {[branchId: string, branch: import("order-cost/internal").Branch][]} */
    const branches = [];
    for (const [branchId, { records, layer, base }] of this.#branches) {
      const layers = layer.records > 0 ? [await layer.finish()] : [];
      branches.push([branchId, { records, layers, ...(isShared(base) && { base: base.name }) }]);
    }
    return { bases, branches: Object.fromEntries(branches.sort(byName)) }; // a branch may have any name, even "__proto__"
  }
}

/**
 * Branches that agree on the sample may have nothing in common.
 * @param {Base | undefined} base
 * @returns {base is Base}
 */
const isShared = (base) => base !== undefined && base.layer.records > 0;

/** @type {(left: [string, unknown], right: [string, unknown]) => number} */
const byName = ([left], [right]) => (left < right ? -1 : 1);

/**
 * @param {Base} base
 * @param {Own[]} own
 * @param {Take} take
 */
function divideShared(base, own, take) {
  const common = own.length * 2 >= base.branches.length ? commonest(own, ({ record }) => record).record : undefined;
  for (const { branch, record } of own) if (record !== common) take(branch.layer, record);
  if (common === undefined) return;
  take(base.layer, common);
  if (own.length === base.branches.length) return;
  const having = new Set(own.map(({ branch }) => branch));
  for (const branch of base.branches) if (!having.has(branch)) take(branch.layer, TOMBSTONE);
}
