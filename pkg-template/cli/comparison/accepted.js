// `--accept`: differences that are known, with a reason each and a date until which they may stay.
import { absolute } from "../../shared/index.js";
import { commonEra } from "../arguments/index.js";
import { REASONS, Sum } from "../explain/index.js";
import { captureHash, Failure, faultSentence, jsonFault, readText } from "../files/index.js";
import { glob } from "./globs.js";

/** The kinds that `--ignore` takes. */
export const KINDS = ["missing", "type", "numberFormat", "underHalfSatang", "value", "order"];
const ENTRY_KINDS = [...KINDS, "failed", "unmatched"];
const KEYS = ["path", "kind", "side", "decision", "ids", "reason", "until"];
export const DECISIONS = new Set(Object.values(REASONS).map(({ decision }) => decision));

/** Kinds that only an entry accepts that names them. */
const NAMED_KINDS = ["failed", "unmatched"];
const SIDES = ["left", "right"];

/** Reads a file of accepted differences. Fails if the date of entries has passed. */
export async function readAccepted(name, today = new Date()) {
  const text = await readText(name);
  const fault = jsonFault(text);
  if (fault) throw new Failure(faultSentence({ name }, fault, "expected JSON"));
  const list = JSON.parse(text);
  if (!Array.isArray(list)) throw new Failure(`${name}: expected a list of {"path", "reason", "until"}`);
  const day = today.toISOString().slice(0, 10);
  const entries = list.map((entry, index) => readEntry(entry, `${name}: entry ${index + 1}`));
  const expired = entries.filter(({ until }) => until < day).map(expiry);
  if (expired.length > 0) throw new Failure(...expired);
  return new Accepted(entries, `${name} ${captureHash(Buffer.from(text))}`);
}

const expiry = ({ place, path = "unmatched", until, reason }) =>
  `${place}: ${path}: was accepted until ${until}, which has passed (${reason})`;

function readEntry(entry, place) {
  const refuse = (what) => {
    throw new Failure(`${place}: ${what}`);
  };
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) refuse('expected {"path", "reason", "until"}');
  const { path, kind, side, decision, ids, reason, until } = entry;
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) refuse(`${unknown}: unknown; an entry has ${KEYS.join(", ")}`);
  if (!isText(path) && kind !== "unmatched") refuse('path: expected a pattern such as "productList[].rowTotal"');
  if (kind !== undefined && !ENTRY_KINDS.includes(kind)) refuse(`kind: expected one of ${ENTRY_KINDS.join(", ")}`);
  if (kind !== "failed" && side !== undefined) refuse('side: only an entry of "kind": "failed" has one');
  if (kind === "failed" && !SIDES.includes(side)) refuse(`side: expected the side that failed: ${SIDE_NAMES}`);
  if (decision !== undefined && !DECISIONS.has(decision)) refuse('decision: expected one that explains differences, such as "D15"');
  if (ids !== undefined && !(Array.isArray(ids) && ids.every((id) => typeof id === "string"))) refuse("ids: expected a list of keys");
  if (!isText(reason)) refuse("reason: expected a sentence that says why the difference is accepted");
  if (!isDay(until)) refuse('until: expected a date such as "2027-01-31"');
  if (commonEra(until)) refuse(`until: expected a year of the common era, got ${until}: ${commonEra(until)} was meant`);
  const matches = path === undefined ? () => true : glob(path);
  const found = { count: 0, lastOrder: 0, orders: 0, atStake: new Sum() };
  return { place, path, kind, side, decision, reason, until, matches, ids: ids && new Set(ids), ...found };
}

const SIDE_NAMES = '"left", the first file or the captured answer, or "right", the second file or this version\'s answer';

const isText = (value) => typeof value === "string" && value.trim() !== "";

function isDay(value) {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export class Accepted {
  #entries;
  #order = 0;

  /** @param {string} [file] its name and what it holds, as a hash */
  constructor(entries = [], file) {
    this.#entries = entries;
    this.file = file;
  }

  /** What of an order's differences is not accepted. `delta` is what its grand totals are apart. */
  rest(id, differences, delta) {
    this.#order += 1;
    return differences.filter((difference) => !this.#accept(id, difference, delta));
  }

  #accept(id, difference, delta) {
    const entry = this.#entries.find((one) => isAccepted(one, id, difference));
    if (!entry) return false;
    entry.count += 1;
    if (entry.lastOrder !== this.#order) entry.orders += 1;
    entry.lastOrder = this.#order;
    if (difference.path === "grandTotal" && delta) entry.atStake.add(absolute(delta));
    return true;
  }

  /** Adds what the entries of a tally matched. */
  merge(entries) {
    for (const [index, { count, orders, atStake, ...entry }] of entries.entries()) {
      this.#entries[index] ??= { ...entry, count: 0, orders: 0, atStake: new Sum() };
      const mine = this.#entries[index];
      mine.count += count;
      mine.orders += orders;
      mine.atStake.add(atStake);
    }
  }

  /** Each entry with what it matched. */
  entries() {
    return this.#entries.map(({ matches, ids, lastOrder, atStake, ...entry }) => ({ ...entry, atStake: atStake.text() }));
  }
}

function isAccepted(entry, id, { path, kind, side, reasons = [], roots = [] }) {
  if (entry.kind === undefined ? NAMED_KINDS.includes(kind) : entry.kind !== kind) return false;
  if (entry.side !== side) return false;
  if (!entry.matches(path) || (entry.ids && !entry.ids.has(id))) return false;
  return (
    entry.decision === undefined ||
    (roots.length === 0 && reasons.length > 0 && reasons.every(({ decision }) => decision === entry.decision))
  );
}
