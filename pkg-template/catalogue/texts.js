import { damageOf } from "./damage.js";
import { hashIn, isShard } from "./keys.js";
import { shareReads } from "./shared-reads.js";
import { createTextCache } from "./text-cache.js";

/** The share of the memory that is left for other texts where shards lie on a shelf. */
const OTHERS_SHARE = 0.25;

/** Of so many branches that were looked into before there is a shelf it learns the layers. */
const MOST_EARLY = 100;

/** Stands for a text whose records are at hand. */
export const AT_HAND = Symbol("at hand");

/**
 * Reads texts whose keys end in the hash of their content. One that is damaged at the second read, too, is replaced by
 * what is wrong with it; a shard that is on the shelf by `AT_HAND`.
 *
 * @param {(names: string[], call: { again: boolean, context: unknown }) => Promise<ReadonlyMap<string, string | null>>} readNames
 *   `again`: a copy near here may be damaged
 * @param {{ cacheBytes: number, timeoutMs: number, hold: (reading: Promise<unknown>) => void }} options
 *
 * @typedef {{ damage: "missing" | "altered" | "malformed" }} Damaged
 */
export function createTexts(readNames, { cacheBytes, timeoutMs, hold }) {
  const cache = createTextCache(cacheBytes);
  /** @type {import("../core/shelf.js").Shelf | undefined} */
  let shelf;
  /**
   * What the shelf is to learn once there is one.
   * @type {Map<string, Parameters<import("../core/shelf.js").Shelf["learn"]>>}
   */
  const early = new Map();

  async function readChecked(keys, context) {
    const texts = await readWhole(keys, { again: false, context });
    const lacking = keys.filter((key) => !isText(texts.get(key)));
    const repeated = lacking.length > 0 ? await readWhole(lacking, { again: true, context }) : [];
    for (const [key, text] of repeated) texts.set(key, text);
    for (const [key, text] of texts) if (isText(text)) keep(key, text);
    return texts;
  }

  async function readWhole(keys, call) {
    const texts = await readNames(keys, call);
    const checked = keys.map(async (key) => [key, await checkedText(key, texts.get(key) ?? null)]);
    return new Map(await Promise.all(checked));
  }

  const isOnShelf = (key) => shelf !== undefined && isShard(key) && shelf.has(hashIn(key));
  const kept = (key) => cache.get(key) ?? (isOnShelf(key) ? AT_HAND : undefined);

  function keep(key, text) {
    if (shelf && isShard(key)) shelf.put(hashIn(key), text);
    else cache.keep(key, text);
  }

  return {
    /** @type {(keys: string[], context?: unknown) => Promise<Map<string, string | typeof AT_HAND | Damaged>>} */
    read: shareReads(readChecked, { timeoutMs, hold, keptText: kept }),

    /** The catalogue's shelf: from then on it has the shards. */
    shelf(make) {
      if (!shelf) {
        const made = make(cacheBytes - OTHERS_SHARE * cacheBytes);
        shelf = made;
        early.forEach((branch) => made.learn(...branch));
        early.clear();
        for (const key of cache.names().filter(isShard)) keep(key, cache.take(key));
        cache.limit(OTHERS_SHARE * cacheBytes);
      }
      return shelf;
    },

    /**
     * Tells the shelf the layers of a version's branch.
     * @param {string} id
     * @param {string} branchId
     * @param {import("./layer.js").Shards[]} layers
     */
    learn(id, branchId, layers) {
      if (shelf && !shelf.knows(id, branchId)) shelf.learn(id, branchId, layers);
      else if (!shelf && early.size < MOST_EARLY) early.set(`${id} ${branchId}`, [id, branchId, layers]);
    },

    /**
     * The records of a shard that needs no read.
     * @param {string} key
     * @returns {import("./records.js").Records | undefined}
     */
    records: (key) => (shelf ? shelf.records(hashIn(key)) : cache.records(key)),

    /** Whether a text needs no read. */
    has: (key) => kept(key) !== undefined,

    /** How many bytes are in memory. */
    bytes: () => cache.bytes + (shelf?.bytes ?? 0),
  };
}

async function checkedText(key, text) {
  const damage = await damageOf(key, text);
  return damage === undefined ? text : { damage };
}

/**
 * @param {string | typeof AT_HAND | Damaged | undefined} text
 * @returns {text is string}
 */
export const isText = (text) => typeof text === "string";
