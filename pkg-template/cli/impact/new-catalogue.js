// The catalogue of new prices and zones: a folder that `npm run data` has written, or files at a URL.
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createCatalogue, fromUrl } from "order-cost/catalogue";
import { CURRENT_KEY, ManifestFault, readCurrent, readManifest, versionKey } from "../../catalogue/index.js";
import { atHand } from "../../shared/index.js";
import { Failure, sentence } from "../files/index.js";

/** What `build --out` writes in place of `current`. */
const BUILT_FILE = "manifest.json";

/** No other name is a file's, so none leads out of the folder. */
const NAME = /^(?:current|[a-z]+:[0-9a-f]+)$/;

const FILES_AT_ONCE = 16;
const TIMEOUT_MS = 60_000;

/** The texts that a thread keeps. Orders of one shop ask for the same products again and again. */
const CACHE_BYTES = 40 * 2 ** 20;

/**
 * @typedef {import("../../catalogue/format.js").Manifest} Manifest
 * @typedef {import("../../catalogue/format.js").Current} Current
 * @typedef {import("order-cost/catalogue").CatalogueVersion} CatalogueVersion
 *
 * @typedef {Pick<CatalogueVersion, "id" | "zones" | "deliveryZones"> & { lookupPrices: LookupPrices, atHand: object }} Version
 *   `atHand`: its prices that are in memory
 * @typedef {Parameters<CatalogueVersion["lookupPrices"]>[0]} PriceKeys
 * @typedef {(keys: PriceKeys) => Promise<Awaited<ReturnType<CatalogueVersion["lookupPrices"]>>>} LookupPrices
 */

const isUrl = (place) => /^https?:\/\//i.test(place);

/**
 * The manifest of a catalogue's version, as the text of `current`: of the one that is in use, or of another that was pushed.
 * @param {string} place a folder or a URL
 * @param {string} [id]
 * @returns {Promise<string>}
 */
export async function currentText(place, id) {
  const read = readerOf(place);
  const textOf = async (name) => (await read([name], { signal: AbortSignal.timeout(TIMEOUT_MS) })).get(name) ?? undefined;
  try {
    if (!isUrl(place)) await access(place);
    if (id !== undefined)
      return inUse(await readManifest(needed(await textOf(versionKey(id)), place, `the version ${id}, which was pushed`)));
    const built = isUrl(place) ? undefined : await builtText(place);
    if (built !== undefined) return inUse(whole(await readManifest(built), place));
    const expected = `${CURRENT_KEY}, which activate writes`;
    const current = await readCurrent(
      needed(await textOf(CURRENT_KEY), place, isUrl(place) ? expected : `${BUILT_FILE}, which build writes, or ${expected}`),
    );
    const { next } = current;
    return next !== undefined && Date.parse(next.at) <= Date.now() ? currentText(place, next.id) : inUse(current);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${place}: ${error instanceof ManifestFault ? `its manifest is refused: ${error.message}` : causeOf(error)}`);
  }
}

const causeOf = (error) => error.cause?.message ?? sentence(error);

function needed(text, place, what) {
  if (text === undefined) throw new Failure(`${place}: no catalogue in it: expected ${what}`);
  return text;
}

/** What is built onto a version has only what changed: the store has the rest. */
function whole(manifest, place) {
  const { id, onto } = manifest;
  if (onto === null) return manifest;
  throw new Failure(
    `${place}: was built onto ${onto} and has only what changed: push it, and name the store with --catalogue-version ${id}`,
  );
}

/**
 * The text of `current` with a manifest in use.
 * @param {Manifest & Partial<Current>} manifest
 */
const inUse = ({ next, history, ...manifest }) => JSON.stringify({ activatedAt: manifest.builtAt, predecessors: [], ...manifest });

const builtText = (folder) => readFile(join(folder, BUILT_FILE), "utf8").catch(orUndefined);

/**
 * The version of a manifest. It never changes, whatever `current` says meanwhile.
 * @param {string} place
 * @param {string} current
 * @returns {Promise<Version>}
 */
export async function versionAt(place, current) {
  const read = readerOf(place);
  const catalogue = createCatalogue({
    read: (names, call) => (names.length === 1 && names[0] === CURRENT_KEY ? new Map([[CURRENT_KEY, current]]) : read(names, call)),
    refreshMs: Infinity,
    maxAgeMs: Infinity,
    cacheBytes: CACHE_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const { id, zones, lookupPrices, deliveryZones } = await catalogue.version();
  const lookup = /** @type {LookupPrices} */ (lookupPrices); // it needs no context
  const failing = (error) => {
    throw new Failure(`${place}: ${error.message}${error.detail ? `: ${error.detail}` : ""}`);
  };
  return {
    id,
    zones,
    atHand: lookupPrices[atHand].version(),
    lookupPrices: (keys) => lookup(keys).catch(failing),
    deliveryZones: () => deliveryZones().catch(failing),
  };
}

/**
 * Texts of a catalogue by their names; null for one that is not there.
 * @param {string} place
 * @param {string[]} names
 * @returns {Promise<ReadonlyMap<string, string | null>>}
 */
export async function readTexts(place, names) {
  try {
    return await readerOf(place)(names, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Failure(`${place}: ${causeOf(error)}`);
  }
}

const readerOf = (place) => (isUrl(place) ? fromUrl(place) : fromFolder(place));

/** `shard:<hash>` is the file shard/<hash>. */
export const fileOf = (name) => name.replace(":", "/");

function fromFolder(folder) {
  const textOf = async (name) =>
    NAME.test(name) ? ((await readFile(join(folder, fileOf(name)), "utf8").catch(orUndefined)) ?? null) : null;
  return async (names) => {
    const texts = new Map();
    const waiting = [...names];
    const work = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) texts.set(name, await textOf(name));
    };
    await Promise.all(Array.from({ length: Math.min(FILES_AT_ONCE, names.length) }, work));
    return texts;
  };
}

function orUndefined(error) {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
