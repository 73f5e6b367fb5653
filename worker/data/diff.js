// What differs between two versions.
import { absolute, decimal, decimalText, divide, multiply, order, subtract } from "../../pkg/decimal.js";
import { recordsOf } from "../src/catalogue/format.js";
import { shardKey, zonesKey } from "../src/keys.js";
import { count } from "./count.js";
import { readTexts, recordCount } from "./version.js";
import { compareZones } from "./zones-diff.js";

/** How many of the largest price changes are kept. */
const LARGEST = 10;

/** Ranges of shards are read in groups of about this many texts. */
const TEXTS_AT_ONCE = 100;

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
 * @property {string[]} newBranches
 * @property {string[]} goneBranches
 * @property {import("./zones-diff.js").ZonesDifference | undefined} zones undefined: they are the same
 */

/**
 * Compares two versions. Shards of equal names are not read.
 *
 * @param {import("./version.js").Version | undefined} before undefined: there is none, so that all is added
 * @param {import("./version.js").Version} after
 * @param {import("./version.js").Texts} texts has the shards of both
 * @param {{ maxChange: number, onProgress?: (done: number, total: number) => void }} options
 * @returns {Promise<Difference>}
 */
export async function compare(before, after, texts, { maxChange, onProgress = () => {} }) {
  const difference = {
    before: before ? recordCount(before) : 0,
    added: 0,
    removed: 0,
    changed: 0,
    beyond: 0,
    largest: [],
    newBranches: [...after.lists.keys()].filter((branchId) => before && !before.lists.has(branchId)),
    goneBranches: [...(before?.lists.keys() ?? [])].filter((branchId) => !after.lists.has(branchId)),
    zones: await zonesDifference(before?.zones ?? null, after.zones, texts, maxChange),
  };
  if (!before) return { ...difference, added: recordCount(after) };
  const ranges = differingRanges(before.lists, after.lists);
  for (let start = 0; start < ranges.length; start += TEXTS_AT_ONCE / 2) {
    const some = ranges.slice(start, start + TEXTS_AT_ONCE / 2);
    await compareRanges(some, texts, difference, maxChange);
    onProgress(start + some.length, ranges.length);
  }
  return difference;
}

async function zonesDifference(before, after, texts, maxChange) {
  if (before === after) return undefined;
  const keys = [before, after].map((hash) => (hash === null ? undefined : zonesKey(hash)));
  const found = await readTexts(texts, keys.filter(Boolean));
  const [olds, news] = keys.map((key) => found.get(key));
  return compareZones(olds, news, (from, to) => isBeyond(from, to, maxChange));
}

const HUNDRED = decimal("100");

const hundredfoldChange = (from, to) => multiply(subtract(decimal(to), decimal(from)), HUNDRED);

const isBeyond = (from, to, maxChange) => order(absolute(hundredfoldChange(from, to)), multiply(decimal(from), decimal(`${maxChange}`))) > 0;

function percentOf(from, to) {
  const base = decimal(from);
  return base.digits === 0n ? Infinity : Number(decimalText(divide(hundredfoldChange(from, to), base, 1)));
}

/**
 * Ranges of products whose shards differ. Numbers of shards are powers of two: each shard of the version that has fewer
 * covers whole shards of the other.
 * @returns {{ branchId: string, before: string[], after: string[] }[]} the hashes of each side's shards
 */
function differingRanges(before, after) {
  const ranges = [];
  for (const branchId of new Set([...before.keys(), ...after.keys()])) {
    const sides = [before.get(branchId) ?? [""], after.get(branchId) ?? [""]];
    const count = Math.min(sides[0].length, sides[1].length);
    for (let index = 0; index < count; index += 1) {
      const [left, right] = sides.map((hashes) => part(hashes, index, count));
      if (left.join() !== right.join()) ranges.push({ branchId, before: left, after: right });
    }
  }
  return ranges;
}

function part(hashes, index, count) {
  const length = hashes.length / count;
  return hashes.slice(index * length, (index + 1) * length).filter(Boolean);
}

async function compareRanges(ranges, texts, difference, maxChange) {
  const keys = new Set(ranges.flatMap(({ before, after }) => [...before, ...after].map(shardKey)));
  const found = await readTexts(texts, [...keys]);
  const recordsIn = (hashes) =>
    new Map(hashes.flatMap((hash) => recordsOf(found.get(shardKey(hash)))).map(({ cprcode, record }) => [cprcode, record]));
  for (const { branchId, before, after } of ranges) {
    const olds = recordsIn(before);
    for (const [cprcode, record] of recordsIn(after)) {
      const old = olds.get(cprcode);
      olds.delete(cprcode);
      if (old === undefined) difference.added += 1;
      else if (old !== record) takeChange(difference, { branchId, cprcode }, old, record, maxChange);
    }
    difference.removed += olds.size;
  }
}

function takeChange(difference, key, old, record, maxChange) {
  difference.changed += 1;
  const [before, after] = [priceOf(old), priceOf(record)];
  if (before === after) return;
  if (isBeyond(before, after, maxChange)) difference.beyond += 1;
  keepLargest(difference.largest, { ...key, before, after, percent: percentOf(before, after) });
}

/** The price's own digits. A record begins with its price. */
const priceOf = (record) => /^\{"price":([^,}]+)/.exec(record)[1];

function keepLargest(largest, change) {
  const size = ({ percent }) => Math.abs(percent);
  const place = largest.findIndex((other) => size(other) < size(change));
  if (place >= 0) largest.splice(place, 0, change);
  else largest.push(change);
  if (largest.length > LARGEST) largest.pop();
}

/**
 * What of a difference exceeds the limits, as sentences.
 *
 * @param {Difference} difference
 * @param {{ maxChange: number, maxRemoved: number }} limits in percent
 */
export function excesses({ zones, ...records }, limits) {
  return [...excessOf(records, "price", "record", limits), ...(zones ? excessOf(zones, "delivery fee", "zone", limits) : [])];
}

function excessOf({ before, removed, beyond }, price, record, { maxChange, maxRemoved }) {
  const excess = [];
  if (beyond > 0) {
    excess.push(`${count(beyond, price)} ${beyond === 1 ? "changes" : "change"} by more than ${maxChange}% (--max-change)`);
  }
  if (removed * 100 > before * maxRemoved) {
    const share = ((removed * 100) / before).toLocaleString("en", { maximumFractionDigits: 1 });
    const gone = `${removed.toLocaleString("en")} of ${count(before, record)} ${removed === 1 ? "goes" : "go"}`;
    excess.push(`${gone}, ${share}%: more than ${maxRemoved}% (--max-removed)`);
  }
  return excess;
}
