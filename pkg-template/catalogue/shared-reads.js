import { groups, msSince, within } from "../shared/index.js";
import { MOST_BULK_KEYS } from "./keys.js";

/** A Worker has six connections. An order also reads zones, which a slow store is asked for twice, and vouchers. */
const MOST_READS = 3;

/**
 * How long an order waits for a read that another order began. workerd tears an order down whose client has gone or
 * whose time is up; what it had begun then never settles.
 */
const MOST_PATIENCE_MS = 500;

/** At most half of the order's time, so that its own read has the other half. */
export const patienceOf = (timeoutMs) => Math.min(MOST_PATIENCE_MS, timeoutMs / 2 || MOST_PATIENCE_MS);

const LATE = Symbol("late");

/**
 * Lets orders that want the same key at the same time share one read. They share promises of plain text only: any other
 * object of a Worker belongs to the request that made it.
 *
 * @template Text
 * @param {(keys: string[], context?: unknown) => Promise<ReadonlyMap<string, Text>>} readTexts gets at most 100 keys,
 *   and the context of the order that begins the read
 * @param {{ timeoutMs: number, hold: (reading: Promise<unknown>) => void, keptText?: (key: string) => Text | undefined }} options
 *   `hold` keeps a read alive if the order that began it ends first; `keptText` finds what needs no read
 * @returns {(keys: string[], context?: unknown) => Promise<Map<string, Text>>}
 */
export function shareReads(readTexts, { timeoutMs, hold, keptText = () => undefined }) {
  const patienceMs = patienceOf(timeoutMs);
  /** The newest read of each key. */
  const reads = new Map();

  function begin(keys, context) {
    const read = { begunAt: Date.now(), texts: readTexts(keys, context) };
    for (const key of keys) reads.set(key, read);
    const end = () => keys.filter((key) => reads.get(key) === read).forEach((key) => reads.delete(key));
    hold(read.texts.then(end, end));
    return read;
  }

  function keptOf(keys) {
    const found = keys.map((key) => [key, keptText(key)]);
    return new Map(found.filter(([, text]) => text !== undefined));
  }

  /** The read to wait for. An old one is left alone: it may never end. */
  function joinable(key, inVain) {
    const read = reads.get(key);
    return read && !inVain.has(read) && msSince(read.begunAt) < patienceMs ? read : undefined;
  }

  return async function read(keys, context) {
    const texts = new Map();
    const inVain = new Set();
    const isMissing = (key) => !texts.has(key);
    const take = (answer) => keys.forEach((key) => answer.has(key) && texts.set(key, answer.get(key)));
    const finish = async (read) => take(await read.texts);
    const join = async (read) => {
      const answer = await within(patienceMs, read.texts, () => LATE);
      if (answer === LATE) inVain.add(read);
      else take(answer);
    };
    for (;;) {
      take(keptOf(keys.filter(isMissing)));
      const missing = keys.filter(isMissing);
      if (missing.length === 0) return texts;
      const joined = new Set(missing.map((key) => joinable(key, inVain)).filter(Boolean));
      const unread = missing.filter((key) => !joinable(key, inVain)).slice(0, MOST_READS * MOST_BULK_KEYS);
      const own = [...groups(unread, MOST_BULK_KEYS)].map((some) => begin(some, context));
      await Promise.all([...own.map(finish), ...[...joined].map(join)]);
    }
  };
}
