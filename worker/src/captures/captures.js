// Writes captures: orders that can be priced again, without anybody's data.
import { createHashes } from "./hashes.js";
import { captureText, zonesIndexer } from "./redaction/index.js";

/** No catalogue has zones twice. */
const MOST_ZONES = 2;

/** Redacting stops for nothing: a larger order would keep up the other clients for a quarter of a second. */
const MOST_BYTES = 131_072;

/**
 * Where captures go.
 * @typedef {object} CaptureStore
 * @property {(name: string) => Promise<boolean>} has
 * @property {(name: string, text: string) => Promise<boolean>} add writes a text, unless its name is taken; false if it is
 */

/**
 * @param {CaptureStore} store
 * @param {string} redactKey
 */
export function createCaptures(store, redactKey) {
  const hashesOf = createHashes(redactKey);
  /** By hash. The oldest first. */
  const zones = new Map();
  let noZones;

  /** Captures of several requests must share no promise. They index zones once: that takes as long as hundreds of orders. */
  async function zonesOf(hash, textOf) {
    if (hash === null) return (noZones ??= (await zonesIndexer())(null));
    if (zones.has(hash)) return zones.get(hash);
    const text = await textOf();
    if (!(await store.has(`zones/${hash}`))) await store.add(`zones/${hash}`, text);
    const index = await zonesIndexer();
    const made = zones.get(hash) ?? index(text);
    zones.set(hash, made);
    if (zones.size > MOST_ZONES) zones.delete(zones.keys().next().value);
    return made;
  }

  return {
    /** Whether a name is free: redacting for one that is taken would be in vain. */
    isFree: async (name) => !(await store.has(name)),

    /**
     * Writes a capture under a name.
     * @param {string} name
     * @param {Omit<import("./redaction/capture-text.js").Exchange, "order"> & { body: Uint8Array }} exchange
     * @param {() => Promise<string>} zonesText the zones that the exchange names
     * @returns {Promise<"written" | "taken" | "tooLarge" | "notRepeatable">} `notRepeatable`: without anybody's data, it could
     *   not be priced again
     */
    async write(name, { body, ...exchange }, zonesText) {
      const { legacy, fresh, limits } = exchange;
      const size = body.length + sizeOf([legacy?.text, fresh.text, exchange.facts]);
      if (body.length > limits.maxBodyBytes || size > MOST_BYTES) return "tooLarge";
      const text = await captureText({ ...exchange, order: utf8Of(body) }, await zonesOf(exchange.zones, zonesText), hashesOf);
      if (text === undefined) return "notRepeatable";
      return (await store.add(name, text)) ? "written" : "taken";
    },
  };
}

/** The characters of all texts in it. */
function sizeOf(value) {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && value !== null ? Object.values(value).reduce((sum, inner) => sum + sizeOf(inner), 0) : 0;
}

/** Undefined if it is none. */
function utf8Of(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
