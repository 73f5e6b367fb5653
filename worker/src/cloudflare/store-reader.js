import { isNamedByContent, within } from "order-cost/internal";

/** What a hash names never changes, so KV may keep it near the Worker as long as it likes. */
const CACHE_SECONDS = 3600;

/**
 * KV's minimum: how long it may show an older `current` at one place. KV remembers a missing key as long as a found one,
 * so what is read again is read with it, too.
 */
const LEAST_CACHE_SECONDS = 30;

/** The Cache API takes one key a call, and six calls at once: more would take longer than KV. */
const MOST_CACHED = 24;
const MOST_CACHE_MS = 50;

const LATE = Symbol("late");

/** The host name is ours alone: nobody else puts anything under it. */
const urlOf = (name) => `https://catalogue.order-cost.invalid/${name.replace(":", "/")}`;

/**
 * Makes the catalogue's reader: what the Cache API has near here is free; the rest comes from KV, which bills each key.
 * The catalogue checks every text by its hash, so a wrong one does no harm.
 *
 * @param {KVNamespace} store
 * @param {Cache | undefined} cache absent: KV alone
 * @param {(work: Promise<unknown>) => void} hold keeps work alive beyond its order
 */
export function createStoreReader(store, cache, hold) {
  /** What each order may still ask the cache. */
  const budgets = new WeakMap();

  function budgetOf(order) {
    if (!order) return { names: MOST_CACHED, ms: MOST_CACHE_MS, puts: MOST_CACHED };
    if (!budgets.has(order)) budgets.set(order, budgetOf());
    return budgets.get(order);
  }

  async function readLatest([name]) {
    return new Map([[name, await store.get(name, { type: "text", cacheTtl: LEAST_CACHE_SECONDS })]]);
  }

  /**
   * @param {readonly string[]} names
   * @param {{ again?: boolean, context?: import("../orders/order.js").Order }} call
   */
  async function readLasting(names, { again, context: order }) {
    const budget = budgetOf(order);
    const texts = cache && !again ? await cachedTexts(cache, names, budget) : new Map();
    const missing = names.filter((name) => !texts.has(name));
    if (missing.length === 0) return texts;
    order?.countReads("prices", missing.length);
    const found = await store.get(missing, { type: "text", cacheTtl: again ? LEAST_CACHE_SECONDS : CACHE_SECONDS });
    if (cache) hold(putAll(cache, found, budget));
    for (const [name, text] of found) texts.set(name, text);
    return texts;
  }

  return async (names, call) => (isNamedByContent(names[0]) ? readLasting(names, call) : readLatest(names));
}

/** What the cache has. An order that misses many asks KV at once. */
async function cachedTexts(cache, names, budget) {
  const texts = new Map();
  const isMany = names.length > budget.names;
  budget.names = isMany ? 0 : budget.names - names.length;
  if (isMany || budget.ms <= 0) return texts;
  const begunAt = Date.now();
  const find = async (name) => {
    const text = await (await cache.match(urlOf(name)))?.text();
    if (text !== undefined) texts.set(name, text);
  };
  const found = Promise.all(names.map((name) => find(name).catch(() => {}))); // an error is a miss
  const outcome = await within(budget.ms, found, () => LATE);
  budget.ms -= Date.now() - begunAt;
  return outcome === LATE ? new Map(texts) : texts;
}

/** One after the other: they must not hold up the order's own connections. */
async function putAll(cache, texts, budget) {
  for (const [name, text] of texts) {
    if (text === null || budget.puts <= 0) continue;
    budget.puts -= 1;
    const headers = { "cache-control": "public, max-age=31536000, immutable" };
    await cache.put(urlOf(name), new Response(text, { headers })).catch(() => {});
  }
}
