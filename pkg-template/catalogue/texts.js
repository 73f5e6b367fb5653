import { damageOf } from "./damage.js";
import { shareReads } from "./shared-reads.js";
import { createTextCache } from "./text-cache.js";

/**
 * Reads texts whose keys end in the hash of their content. One that is damaged at the second read, too, is replaced by
 * what is wrong with it.
 *
 * @param {(names: string[], call: { again: boolean, context: unknown }) => Promise<ReadonlyMap<string, string | null>>} readNames
 *   `again`: a copy near here may be damaged
 * @param {{ cacheBytes: number, timeoutMs: number, hold: (reading: Promise<unknown>) => void }} options
 * @returns {{ read(keys: string[], context?: unknown): Promise<Map<string, string | Damaged>>, kept(key: string): string | undefined, bytes(): number }}
 *   `kept` finds what needs no read; `bytes` are in memory
 *
 * @typedef {{ damage: "missing" | "altered" | "malformed" }} Damaged
 */
export function createTexts(readNames, { cacheBytes, timeoutMs, hold }) {
  const cache = createTextCache(cacheBytes);

  async function readChecked(keys, context) {
    const texts = await readWhole(keys, { again: false, context });
    const lacking = keys.filter((key) => !isWhole(texts.get(key)));
    const repeated = lacking.length > 0 ? await readWhole(lacking, { again: true, context }) : [];
    for (const [key, text] of repeated) texts.set(key, text);
    for (const [key, text] of texts) if (isWhole(text)) cache.keep(key, text);
    return texts;
  }

  async function readWhole(keys, call) {
    const texts = await readNames(keys, call);
    const checked = keys.map(async (key) => [key, await checkedText(key, texts.get(key) ?? null)]);
    return new Map(await Promise.all(checked));
  }

  return { read: shareReads(readChecked, { timeoutMs, hold, keptText: cache.get }), kept: cache.get, bytes: () => cache.bytes };
}

async function checkedText(key, text) {
  const damage = await damageOf(key, text);
  return damage === undefined ? text : { damage };
}

/**
 * @param {string | Damaged | undefined} text
 * @returns {text is string}
 */
export const isWhole = (text) => typeof text === "string";
