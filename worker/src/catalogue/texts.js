import { damageOf } from "./damage.js";
import { MOST_BULK_KEYS } from "../kv.js";
import { shareReads } from "./shared-reads.js";
import { createTextCache } from "./text-cache.js";
import { createTurns } from "../turns.js";

/** What a hash names never changes, so KV may keep it near the Worker as long as it likes. */
const CACHE_SECONDS = 3600;

/** KV's minimum. KV remembers a missing key as long as a found one; a shorter time makes it look again. */
const LEAST_CACHE_SECONDS = 30;

/** An order of 5,000 lines holds a whole branch until it is priced: 10 MB, twice that on the heap. Several at once would end the isolate. */
const MOST_LARGE_READS = 2;

/**
 * Reads texts whose keys end in the hash of their content. In place of one that is damaged, twice, stands how.
 *
 * @param {KVNamespace} store
 * @param {{ cacheBytes: number, deadlineMs: number, hold: (reading: Promise<unknown>) => void }} options
 * @returns {(keys: string[], onRead?: (count: number) => void) => Promise<Map<string, string | Damaged>>} `onRead` is told
 *   how many keys are read from the store
 *
 * @typedef {{ damage: "missing" | "altered" | "malformed" }} Damaged
 */
export function createTextReader(store, { cacheBytes, deadlineMs, hold }) {
  const kept = createTextCache(cacheBytes);

  async function readChecked(keys, onRead) {
    onRead?.(keys.length);
    const texts = await readWhole(store, keys, CACHE_SECONDS);
    const lacking = keys.filter((key) => !isWhole(texts.get(key)));
    if (lacking.length > 0) onRead?.(lacking.length);
    const again = lacking.length > 0 ? await readWhole(store, lacking, LEAST_CACHE_SECONDS) : [];
    for (const [key, text] of again) texts.set(key, text);
    for (const [key, text] of texts) if (isWhole(text)) kept.keep(key, text);
    return texts;
  }

  const read = shareReads(readChecked, { deadlineMs, hold, keptText: kept.get });
  const inTurn = createTurns(MOST_LARGE_READS);

  return (keys, onRead) => {
    const isLarge = keys.filter((key) => kept.get(key) === undefined).length > MOST_BULK_KEYS;
    return isLarge ? inTurn(() => read(keys, onRead)) : read(keys, onRead);
  };
}

async function readWhole(store, keys, cacheTtl) {
  const texts = await store.get(keys, { type: "text", cacheTtl });
  const checked = keys.map(async (key) => [key, await checkedText(key, texts.get(key) ?? null)]);
  return new Map(await Promise.all(checked));
}

async function checkedText(key, text) {
  const damage = await damageOf(key, text);
  return damage === undefined ? text : { damage };
}

/** @param {string | Damaged} text */
export const isWhole = (text) => typeof text === "string";
