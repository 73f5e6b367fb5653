// Finds branches that have most of their prices in common.

/** Enough products to tell price lists apart; one bucket of a shop of 25,000. */
const SAMPLE = 100;

/**
 * Some products, the same for the same rows in any order.
 * @param {import("../files/sorter.js").Sorter} sorter
 * @returns {Promise<import("../files/sorter.js").Product[]>}
 */
export async function sampleOf(sorter) {
  const sample = [];
  for await (const { products } of sorter.buckets()) {
    sample.push(...products.sort((left, right) => left.cprcode - right.cprcode));
    if (sample.length >= SAMPLE) break;
  }
  return sample.slice(0, SAMPLE);
}

/**
 * Groups branches: each joins the cluster whose commonest records agree with it most, if they do for at least half of the
 * sample's products, or else begins one.
 * @param {string[]} branchIds
 * @param {import("../files/sorter.js").Product[]} sample
 * @returns {string[][]} the branches of each cluster
 */
export function clustersOf(branchIds, sample) {
  const records = new Map(branchIds.map((branchId) => [branchId, new Map()]));
  for (const { cprcode, rows } of sample) for (const { branchId, record } of rows) records.get(branchId)?.set(cprcode, record);
  const clusters = [];
  for (const branchId of branchIds) {
    const own = records.get(branchId);
    let cluster = nearest(clusters, own);
    if (!cluster) clusters.push((cluster = new Cluster()));
    cluster.join(branchId, own);
  }
  return clusters.map(({ branchIds }) => branchIds);
}

function nearest(clusters, own) {
  let found;
  let most = 0;
  for (const cluster of clusters) {
    const agreeing = cluster.agreeing(own);
    if (agreeing > most) [found, most] = [cluster, agreeing];
  }
  return found;
}

class Cluster {
  branchIds = [];
  /** For each product, how many branches have it and each of its records, and the commonest. */
  #products = new Map();

  join(branchId, own) {
    this.branchIds.push(branchId);
    for (const [cprcode, record] of own) {
      if (!this.#products.has(cprcode)) this.#products.set(cprcode, { counts: new Map(), size: 0, common: record });
      const product = this.#products.get(cprcode);
      product.size += 1;
      product.counts.set(record, (product.counts.get(record) ?? 0) + 1);
      if (product.counts.get(record) > product.counts.get(product.common)) product.common = record;
    }
  }

  /** For how many products a branch has the commonest record; 0 if that is less than half of what either has. */
  agreeing(own) {
    let equal = 0;
    let all = own.size;
    for (const [cprcode, { size, common }] of this.#products) {
      if (size * 2 < this.branchIds.length) continue;
      if (own.get(cprcode) === common) equal += 1;
      else if (!own.has(cprcode)) all += 1;
    }
    return equal * 2 >= all ? equal : 0;
  }
}

/**
 * The commonest of records; of equally common ones the first by its text, so that the order of rows does not matter.
 * @template Row
 * @param {Row[]} rows
 * @param {(row: Row) => string} recordOf
 * @returns {{ record: string, count: number }}
 */
export function commonest(rows, recordOf) {
  const counts = new Map();
  for (const row of rows) counts.set(recordOf(row), (counts.get(recordOf(row)) ?? 0) + 1);
  let most = { record: "", count: 0 };
  for (const [record, count] of counts) {
    if (count > most.count || (count === most.count && record < most.record)) most = { record, count };
  }
  return most;
}
