import { askingVersion, within } from "../shared/index.js";
import { CatalogueError } from "./catalogue-error.js";
import { shardKey, zonesKey } from "./keys.js";
import { shardsIn } from "./layer.js";
import { layersOf, Malformed, pricesIn } from "./records.js";
import { AT_HAND, isText } from "./texts.js";

const NO_ZONES = '{"type":"FeatureCollection","features":[]}';

/** So many texts are read beforehand at once. */
const WARM_AT_ONCE = 100;

/** Of so many branches that a version lacks the shelf learns that they have no prices: an order may name any. */
const MOST_LACKED = 100;

/**
 * What a published version tells the pricer: its prices and its delivery zones, and nothing of any other version.
 *
 * @param {import("./format.js").Manifest & { activatedAt: string }} manifest
 * @param {ReturnType<typeof import("./texts.js").createTexts>} texts
 * @param {{ used: Set<string>, patienceMs: number, warmBytes: number, hold: (work: Promise<unknown>) => void, onIncomplete(): void }} options
 *   `used`: the branches that orders have asked for, whatever the version; `warmBytes`: how much is read beforehand; `onIncomplete` is called when a text of the version is damaged
 */
export function createVersion(manifest, texts, { used, patienceMs, warmBytes, hold, onIncomplete }) {
  const { id, zones, activatedAt, branches } = manifest;
  const incomplete = (name, detail) => {
    onIncomplete();
    return new CatalogueError(`The ${name} is incomplete: try again`, detail);
  };

  const readFrom = (name, context) => async (keys) => {
    const found = await texts.read(keys, context).catch((cause) => {
      throw new CatalogueError(`The ${name} did not answer`, `${cause?.message}`);
    });
    const damaged = keys.find((key) => found.get(key) !== AT_HAND && !isText(found.get(key)));
    if (damaged === undefined) return /** @type {Map<string, string | typeof AT_HAND>} */ (found);
    const { damage } = /** @type {import("./texts.js").Damaged} */ (found.get(damaged));
    throw incomplete(name, `${damaged} of version ${id} is ${damage}`);
  };
  const readPrices = readFrom("price store");
  /** Branches that orders have asked for, and that the version does not have. */
  const lacked = new Set();

  /** The layers of a branch. The shelf learns them. */
  async function layersAt(branchId, read = readPrices) {
    const isOurs = Object.hasOwn(branches, branchId);
    if (isOurs) used.add(branchId);
    else if (lacked.size < MOST_LACKED) lacked.add(branchId);
    const layers = await layersOf(manifest, branchId, read);
    if (isOurs || lacked.has(branchId)) texts.learn(id, branchId, layers);
    return layers;
  }

  async function recordsAt(branchId, cprcodes, context) {
    const read = readFrom("price store", context);
    try {
      const layers = await layersAt(branchId, read);
      return await pricesIn(layers, cprcodes, { read, records: texts.records });
    } catch (error) {
      throw error instanceof Malformed ? incomplete("price store", `version ${id}: ${error.message}`) : error;
    }
  }

  async function lookupPrices(keys, ctx) {
    const records = [];
    for (const [branchId, places] of byBranch(keys)) {
      const found = await recordsAt(
        branchId,
        places.map((place) => keys[place].cprcode),
        ctx?.context,
      );
      for (const [index, place] of places.entries()) records[place] = found[index];
    }
    return records;
  }

  const here = { id, shelf: texts.shelf };
  askingVersion(lookupPrices, () => here);

  async function deliveryZones() {
    if (zones === null) return NO_ZONES;
    const key = zonesKey(zones);
    const readZones = readFrom("zone store");
    const read = async () => (await readZones([key])).get(key);
    // All orders of the pricer wait for this one call. So a read that hangs must not be its only one, and it must
    // outlive the order that began it, also while it waits for the read of another order. Timers may be early by a
    // fraction of a millisecond; the second read would then join the first.
    const text = within(patienceMs + 1, read(), read);
    hold(text.catch(() => {}));
    return text;
  }

  /** Reads what orders would wait for when they change from `before` to this version, as far as that is little. */
  async function warm(before) {
    if (zones !== null && zones !== before.zones) await deliveryZones();
    let room = warmBytes;
    let wanted = [];
    const known = new Set();
    const read = async () => {
      for (const text of (await readPrices(wanted)).values()) room -= isText(text) ? text.length : 0;
      wanted = [];
    };
    for (const branchId of used) {
      const [olds, news] = [await before.layersAt(branchId), await layersAt(branchId)];
      for (const key of newKeys(olds, news, known, texts.has)) {
        if (wanted.push(key) === WARM_AT_ONCE) await read();
        if (room <= 0) return;
      }
    }
    await read();
  }

  return { id, zones, activatedAt, layersAt, warm, open: { id, zones, activatedAt, lookupPrices, deliveryZones } };
}

/** The places of the keys of each branch. An order has one branch. */
function byBranch(keys) {
  const branches = new Map();
  for (const [place, { branchId }] of keys.entries()) {
    if (!branches.has(branchId)) branches.set(branchId, []);
    branches.get(branchId).push(place);
  }
  return branches;
}

/**
 * The keys of shards that a branch did not have before. Of a layer without a filter only those whose old counterpart is
 * in memory: so their products are in demand.
 *
 * @param {import("./layer.js").Shards[]} before
 * @param {import("./layer.js").Shards[]} after
 * @param {Set<string>} known the layers that were looked at: branches share them
 * @param {(key: string) => boolean} isKept
 */
function newKeys(before, after, known, isKept) {
  for (const { names } of before) known.add(names);
  const last = before.at(-1);
  const olds = last ? shardsIn(last) : [];
  const isInDemand = (share) => isKept(shardKey(olds[Math.floor(share * olds.length)]));
  const keys = [];
  for (const { names, filter, ...layer } of after) {
    if (known.has(names)) continue;
    known.add(names);
    for (const [index, hash] of shardsIn({ names, ...layer }).entries()) {
      if (hash !== "" && (filter !== "" || isInDemand(index / layer.shardCount))) keys.push(shardKey(hash));
    }
  }
  return keys;
}
