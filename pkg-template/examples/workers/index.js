import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";

const KEYS_AT_ONCE = 100; // KV reads at most 100 keys per request

export default {
  fetch: createFetchHandler((env) => createPricer({ lookupPrices: (keys) => readPrices(env.PRICES, keys) })),
};

/** Each record is JSON text and is passed on unchanged. */
async function readPrices(store, keys) {
  const names = keys.map(({ cprcode, branchId }) => `${cprcode}/${branchId}`);
  const records = [];
  for (let from = 0; from < names.length; from += KEYS_AT_ONCE) {
    const some = names.slice(from, from + KEYS_AT_ONCE);
    const found = await store.get(some);
    records.push(...some.map((name) => found.get(name)));
  }
  return records;
}
