// A version out of whole files: bases that branches share, and what each branch has instead.
import { TOMBSTONE } from "../../pkg/catalogue/format.js";
import { clustersOf, commonest, sampleOf } from "./bases.js";
import { LayerMaker, writeAllUntil } from "./layers.js";

/**
 * How the records of whole files are divided among layers. First `count` all products, then `write`.
 */
export class Division {
  #branches = new Map();
  #bases = [];

  /** @param {import("./sorter.js").Sorter} sorter with all rows */
  static async of(sorter) {
    const branchIds = sorter.branchIds.toSorted();
    return new Division(clustersOf(branchIds, await sampleOf(sorter)));
  }

  constructor(clusters) {
    for (const branchIds of clusters) {
      const base = branchIds.length > 1 ? { name: `${this.#bases.length + 1}`, layer: new LayerMaker(), branches: [] } : undefined;
      if (base) this.#bases.push(base);
      for (const branchId of branchIds) {
        const branch = { records: 0, layer: new LayerMaker(), base };
        this.#branches.set(branchId, branch);
        base?.branches.push(branch);
      }
    }
  }

  /** @param {import("./sorter.js").Product} product */
  count = (product) => {
    for (const { branchId } of product.rows) this.#branches.get(branchId).records += 1;
    this.#divide(product, (layer, record) => layer.count(product.cprcode, record));
  };

  /** Gives each layer its records of a product. */
  #divide({ rows }, take) {
    const shared = new Map();
    for (const row of rows) {
      const branch = this.#branches.get(row.branchId);
      if (!branch.base) take(branch.layer, row.record);
      else if (shared.has(branch.base)) shared.get(branch.base).push({ branch, record: row.record });
      else shared.set(branch.base, [{ branch, record: row.record }]);
    }
    for (const [base, own] of shared) divideShared(base, own, take);
  }

  /**
   * @param {import("./sorter.js").Sorter} sorter
   * @param {import("./texts.js").TextFolder} folder
   * @param {number | undefined} shardBytes
   * @param {(rows: number) => void} onDone
   * @returns {Promise<Pick<import("../../pkg/catalogue/format.js").Manifest, "bases" | "branches">>}
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

  #begin(folder, shardBytes) {
    const branches = [...this.#branches.values()];
    for (const { layer } of this.#bases) layer.begin(folder, { hasFilter: false, shardBytes });
    for (const { layer, base } of branches) layer.begin(folder, { hasFilter: isShared(base), shardBytes });
    return [...this.#bases, ...branches].map(({ layer }) => layer);
  }

  async #finish() {
    const bases = {};
    for (const base of this.#bases.filter(isShared)) bases[base.name] = [await base.layer.finish()];
    const branches = [];
    for (const [branchId, { records, layer, base }] of this.#branches) {
      const layers = layer.records > 0 ? [await layer.finish()] : [];
      branches.push([branchId, { records, layers, ...(isShared(base) && { base: base.name }) }]);
    }
    return { bases, branches: Object.fromEntries(branches.sort(byName)) }; // a branch may have any name, even "__proto__"
  }
}

/** Branches that agree on the sample may have nothing in common. */
const isShared = (base) => base !== undefined && base.layer.records > 0;

const byName = ([left], [right]) => (left < right ? -1 : 1);

function divideShared(base, own, take) {
  const isCommon = own.length * 2 >= base.branches.length;
  const common = isCommon ? commonest(own, ({ record }) => record).record : undefined;
  for (const { branch, record } of own) if (record !== common) take(branch.layer, record);
  if (!isCommon) return;
  take(base.layer, common);
  if (own.length === base.branches.length) return;
  const having = new Set(own.map(({ branch }) => branch));
  for (const branch of base.branches) if (!having.has(branch)) take(branch.layer, TOMBSTONE);
}
