// What differs between two versions.
import {
  absolute,
  decimal,
  decimalText,
  divide,
  groups,
  hashIn,
  layersOf,
  multiply,
  order,
  placeOf,
  pricesIn,
  recordsOf,
  shardKey,
  shardOf,
  shardsIn,
  subtract,
  zonesKey,
} from "order-cost/internal";
import { count, some } from "../../command-line/index.js";
import { inGroups } from "../files/index.js";
import { FieldCounts, lostBetween, priceOf, shown } from "../input/index.js";
import { eachChange } from "./changes.js";
import { readerOf } from "./texts.js";
import { eachText, readTexts, recordCount } from "./version.js";
import { compareZones } from "./zones-diff.js";

/** How many of the largest price changes are kept. */
const LARGEST = 10;

/** So many branches are compared at once: their texts are read together. */
const BRANCHES_AT_ONCE = 16;

/** So many products of a branch are compared at once. */
const PRODUCTS_AT_ONCE = 10_000;

/**
 * @typedef {object} Change
 * @property {string} branchId
 * @property {number} cprcode
 * @property {string} before in THB
 * @property {string} after in THB
 * @property {number} percent up or down; Infinity from 0
 *
 * @typedef {object} Difference
 * @property {number} before the records of the older version
 * @property {number} added
 * @property {number} removed
 * @property {number} changed records of which anything differs
 * @property {number} beyond prices that change by more than `maxChange` percent
 * @property {Change[]} largest the largest price changes, the largest first
 * @property {Record<string, number>} lost how many records lose each field
 * @property {Record<string, number> | undefined} had how many have each in the older version; undefined: it does not say
 * @property {string[]} newBranches
 * @property {string[]} goneBranches
 * @property {import("./zones-diff.js").ZonesDifference | undefined} zones undefined: they are the same
 *
 * @typedef {{ maxChange: number, maxRemoved: number, maxLost: number, newBranches?: boolean }} Limits in percent, and whether branches
 *   may be new
 */

/**
 * Compares two versions. If one was built onto the other, it says itself what changed; otherwise layers and shards that
 * both have are not read.
 *
 * @param {import("./version.js").Manifest | undefined} before undefined: there is none, so that all is added
 * @param {import("./version.js").Manifest} after
 * @param {import("./version.js").Texts} texts of both
 * @param {{ maxChange: number, onProgress?: (done: number, total: number) => void }} options
 * @returns {Promise<Difference>}
 */
export async function compare(before, after, texts, { maxChange, onProgress = () => {} }) {
  const [olds, news] = [before?.branches ?? {}, after.branches];
  /** @type {Difference} */
  const difference = {
    before: before ? recordCount(before) : 0,
    added: 0,
    removed: 0,
    changed: 0,
    beyond: 0,
    largest: [],
    lost: {},
    had: before?.fields,
    newBranches: before ? Object.keys(news).filter((branchId) => !Object.hasOwn(olds, branchId)) : [],
    goneBranches: Object.keys(olds).filter((branchId) => !Object.hasOwn(news, branchId)),
    zones: await zonesDifference(before?.zones ?? null, after.zones, texts, maxChange),
  };
  if (!before) return { ...difference, added: recordCount(after) };
  /** @param {import("./changes.js").PriceChange} change */
  const take = (change) => takeChange(difference, change, maxChange);
  const { changes } = after;
  if (changes && after.onto === before.id) {
    await eachChange(changes, texts, take, (done) => onProgress(done, changes.length));
    return { ...difference, lost: after.lost ?? {} };
  }
  for (const branchId of difference.newBranches) difference.added += news[branchId].records;
  for (const branchId of difference.goneBranches) difference.removed += olds[branchId].records;
  const lost = new FieldCounts();
  await compareLayers(before, after, readerOf(texts), take, lost, onProgress);
  return { ...difference, lost: lost.toJSON() };
}

/**
 * @param {string | null} before
 * @param {string | null} after
 * @param {import("./version.js").Texts} texts
 * @param {number} maxChange
 */
async function zonesDifference(before, after, texts, maxChange) {
  if (before === after) return undefined;
  const hashes = [before, after].filter((hash) => hash !== null);
  const found = await readTexts(texts, hashes.map(zonesKey));
  const [olds, news] = [before, after].map((hash) => (hash === null ? undefined : found.get(zonesKey(hash))));
  return compareZones(olds, news, (from, to) => isBeyond(from, to, maxChange));
}

/**
 * A price, a fee or a percentage. None has an exponent that is too large to compute.
 * @param {string} number
 */
const exact = (number) => /** @type {NonNullable<ReturnType<typeof decimal>>} */ (decimal(number));

const HUNDRED = exact("100");

/**
 * @param {string} from
 * @param {string} to
 */
const hundredfoldChange = (from, to) => multiply(subtract(exact(to), exact(from)), HUNDRED);

/**
 * @param {string} from
 * @param {string} to
 * @param {number} maxChange
 */
const isBeyond = (from, to, maxChange) => order(absolute(hundredfoldChange(from, to)), multiply(exact(from), exact(`${maxChange}`))) > 0;

/**
 * @param {string} from
 * @param {string} to
 */
function percentOf(from, to) {
  const base = exact(from);
  return base.digits === 0n ? Infinity : Number(decimalText(divide(hundredfoldChange(from, to), base, 1)));
}

async function compareLayers(before, after, reader, take, lost, onProgress) {
  const branchIds = Object.keys(after.branches).filter((branchId) => Object.hasOwn(before.branches, branchId));
  const bases = new BaseChanges(reader);
  let done = 0;
  await inGroups(branchIds, BRANCHES_AT_ONCE, async (branchId) => {
    const [left, right] = await Promise.all([before, after].map((manifest) => stackOf(manifest, branchId, reader)));
    const cprcodes = await codesIn(left.own, right.own, reader);
    for (const cprcode of await bases.between(left.base, right.base)) cprcodes.add(cprcode);
    for await (const { cprcode, before, after } of changesOf(cprcodes, left.all, right.all, reader)) {
      take({ branchId, cprcode, before: before && priceOf(before), after: after && priceOf(after) });
      if (before !== null && after !== null) lost.addNames(lostBetween(before, after));
    }
    onProgress((done += 1), branchIds.length);
  });
}

/** The layers of a branch: its own, those of its base, and all. */
async function stackOf(manifest, branchId, { read }) {
  const all = await layersOf(manifest, branchId, read);
  const names = Object.keys(manifest.bases ?? {});
  const withoutBases = { ...manifest, bases: Object.fromEntries(names.map((name) => [name, []])) };
  const own = await layersOf(withoutBases, branchId, read);
  return { all, own, base: all.slice(own.length) };
}

/** The products that differ between bases, found once for all their branches. */
class BaseChanges {
  #reader;
  /** @type {Map<string, Promise<number[]>>} */
  #found = new Map();

  /** @param {import("./texts.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
  }

  /** @type {(left: Layer[], right: Layer[]) => Promise<number[]>} */
  between(left, right) {
    const key = [left, right].map((layers) => layers.map(({ names }) => names).join()).join("/");
    const found = this.#found.get(key) ?? this.#changed(left, right);
    this.#found.set(key, found);
    return found;
  }

  /**
   * @param {Layer[]} left
   * @param {Layer[]} right
   */
  async #changed(left, right) {
    /** @type {number[]} */
    const found = [];
    const cprcodes = await codesIn(left, right, this.#reader);
    for await (const { cprcode } of changesOf(cprcodes, left, right, this.#reader)) found.push(cprcode);
    return found;
  }
}

/** @typedef {Parameters<typeof pricesIn>[0][number]} Layer */

/**
 * What differs between the records of products in two lists of layers.
 * @param {Iterable<number>} cprcodes
 * @param {Layer[]} left
 * @param {Layer[]} right
 * @param {import("./texts.js").Reader} reader
 */
async function* changesOf(cprcodes, left, right, reader) {
  const all = [...cprcodes].sort((one, other) => placeOf(one) - placeOf(other)); // so that each shard is read once
  for (const some of groups(all, PRODUCTS_AT_ONCE)) {
    const [befores, afters] = [await pricesIn(left, some, reader), await pricesIn(right, some, reader)];
    for (const [index, cprcode] of some.entries()) {
      if (befores[index] !== afters[index]) yield { cprcode, before: befores[index], after: afters[index] };
    }
  }
}

/**
 * The products whose records may differ between two lists of layers: those in shards that only one list has, and in the
 * shards before these.
 * @param {Layer[]} left
 * @param {Layer[]} right
 * @param {import("./texts.js").Reader} reader
 */
async function codesIn(left, right, reader) {
  const sides = withoutCommon(left, right, ({ names }) => names);
  const rangeCount = Math.max(1, ...sides.flat().map(({ shardCount }) => shardCount));
  const shards = sides.map((layers) => layers.map(shardsIn));
  /**
   * The ranges for which a shard is read.
   * @type {Map<string, Set<number>>}
   */
  const ranges = new Map();
  for (let range = 0; range < rangeCount; range += 1) {
    const [olds, news] = shards.map((layers) =>
      layers.map((names) => names[Math.floor((range / rangeCount) * names.length)]).filter(Boolean),
    );
    for (const hash of withoutCommon(olds, news, (name) => name).flat()) {
      const ofShard = ranges.get(hash) ?? new Set();
      ranges.set(hash, ofShard.add(range));
    }
  }
  /** @type {Set<number>} */
  const cprcodes = new Set();
  await eachText([...ranges.keys()].map(shardKey), reader, (key, text) => {
    const wanted = ranges.get(hashIn(key));
    for (const { cprcode } of recordsOf(text)) if (wanted?.has(shardOf(cprcode, rangeCount))) cprcodes.add(cprcode);
  });
  return cprcodes;
}

/**
 * Two lists without the end that both have: whatever stands there is hidden by the same.
 * @template T
 * @param {T[]} left
 * @param {T[]} right
 * @param {(item: T) => string} nameOf
 */
function withoutCommon(left, right, nameOf) {
  const nameAt = (/** @type {T[]} */ list, /** @type {number} */ index) => nameOf(list[list.length - 1 - index]);
  let same = 0;
  while (same < Math.min(left.length, right.length) && nameAt(left, same) === nameAt(right, same)) same += 1;
  return [left, right].map((list) => list.slice(0, list.length - same));
}

/**
 * @param {Difference} difference
 * @param {import("./changes.js").PriceChange} change
 * @param {number} maxChange
 */
function takeChange(difference, { branchId, cprcode, before, after }, maxChange) {
  if (before === null) difference.added += 1;
  else if (after === null) difference.removed += 1;
  else difference.changed += 1;
  if (before === null || after === null || before === after) return;
  if (isBeyond(before, after, maxChange)) difference.beyond += 1;
  keepLargest(difference.largest, { branchId, cprcode, before, after, percent: percentOf(before, after) });
}

/**
 * @param {Change[]} largest
 * @param {Change} change
 */
function keepLargest(largest, change) {
  const place = largest.findIndex((other) => isBefore(change, other));
  if (place >= 0) largest.splice(place, 0, change);
  else largest.push(change);
  if (largest.length > LARGEST) largest.pop();
}

/**
 * Changes of one size by branch and product: branches are compared at once, and come in any sequence.
 * @param {Change} one
 * @param {Change} other
 */
function isBefore(one, other) {
  const [left, right] = [one, other].map(({ percent }) => Math.abs(percent));
  if (left !== right) return left > right;
  return one.branchId === other.branchId ? one.cprcode < other.cprcode : one.branchId < other.branchId;
}

/**
 * What of a difference exceeds the limits, as sentences.
 *
 * @param {Difference} difference
 * @param {Limits} limits
 */
export function excesses({ zones, newBranches, ...records }, limits) {
  const ofZones = zones ? excessOf(zones, "delivery fee", "zone", limits) : [];
  const isNew = newBranches.length > 0 && !limits.newBranches;
  const ofBranches = isNew
    ? [`${branchesText(newBranches)} ${newBranches.length === 1 ? "was" : "were"} not there before (--new-branches)`]
    : [];
  return [...excessOf(records, "price", "record", limits), ...excessOfLost(records, limits), ...ofBranches, ...ofZones];
}

/** @param {string[]} ids */
export const branchesText = (ids) => `branch${ids.length === 1 ? "" : "es"} ${some(ids.map(shown))}`;

/**
 * @param {Pick<Difference, "before" | "lost" | "had">} difference
 * @param {Limits} limits
 */
function excessOfLost({ before, lost, had = {} }, { maxLost }) {
  /** @param {string} name of a field */
  const most = (name) => had[name] ?? before;
  const beyond = Object.entries(lost).filter(([name, records]) => records * 100 > most(name) * maxLost);
  return beyond.map(([name, records]) => `${lossText(name, records, most(name))}: more than ${maxLost}% (--max-lost)`);
}

/**
 * `50 of 200 records lose their weight, 25%`
 * @param {string} name
 * @param {number} records
 * @param {number} of
 */
function lossText(name, records, of) {
  return `${records.toLocaleString("en")} of ${count(of, "record")} ${records === 1 ? "loses its" : "lose their"} ${name}, ${shareText(records, of)}`;
}

/**
 * What a version takes away, a sentence for each field.
 * @param {Difference} difference
 */
export const lossesOf = ({ before, lost, had = {} }) =>
  Object.entries(lost).map(([name, records]) => lossText(name, records, had[name] ?? before));

/**
 * @param {number} part
 * @param {number} whole
 */
const shareText = (part, whole) => `${((part * 100) / whole).toLocaleString("en", { maximumFractionDigits: 1 })}%`;

/**
 * @param {Pick<Difference, "before" | "removed" | "beyond">} difference
 * @param {string} price what changes
 * @param {string} record what goes
 * @param {Limits} limits
 */
function excessOf({ before, removed, beyond }, price, record, { maxChange, maxRemoved }) {
  const excess = [];
  if (beyond > 0) {
    excess.push(`${count(beyond, price)} ${beyond === 1 ? "changes" : "change"} by more than ${maxChange}% (--max-change)`);
  }
  if (removed * 100 > before * maxRemoved) {
    const gone = `${removed.toLocaleString("en")} of ${count(before, record)} ${removed === 1 ? "goes" : "go"}`;
    excess.push(`${gone}, ${shareText(removed, before)}: more than ${maxRemoved}% (--max-removed)`);
  }
  return excess;
}
