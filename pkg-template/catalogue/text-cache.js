import { recordsOf } from "./format.js";

/** What a record takes beside its text, once it was looked for. */
const RECORD_BYTES = 70;

/**
 * Keeps texts by name, least recently used out first.
 * @param {number} mostBytes the bound on their sum
 */
export function createTextCache(mostBytes) {
  /** A Map lists its entries in the sequence in which they were set. */
  const entries = new Map();
  let bytes = 0;

  function entryOf(name) {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    entries.delete(name);
    entries.set(name, entry);
    return entry;
  }

  function drop(name) {
    const entry = entries.get(name);
    bytes -= entry?.bytes ?? 0;
    entries.delete(name);
    return entry?.text;
  }

  function grow(entry, more) {
    entry.bytes += more;
    bytes += more;
    trim();
  }

  function trim() {
    while (bytes > mostBytes) drop(entries.keys().next().value);
  }

  return {
    get bytes() {
      return bytes;
    },

    get: (name) => entryOf(name)?.text,

    names: () => [...entries.keys()],

    /**
     * The records of a shard, by product code.
     * @param {string} name
     * @returns {Map<number, string> | undefined}
     */
    records(name) {
      const entry = entryOf(name);
      if (entry && !entry.records) {
        entry.records = recordsByCode(entry.text);
        grow(entry, RECORD_BYTES * entry.records.size);
      }
      return entry?.records;
    },

    keep(name, text) {
      drop(name);
      if (bytesOf(text) > mostBytes) return; // it would push everything else out, and still not fit
      const entry = { text, bytes: 0, records: undefined };
      entries.set(name, entry);
      grow(entry, bytesOf(text));
    },

    /** Gives a text away. */
    take: drop,

    /** Holds less from now on. */
    limit(most) {
      mostBytes = most;
      trim();
    },
  };
}

/**
 * The records of a shard's text, by product code.
 * @param {string} text
 */
export const recordsByCode = (text) => new Map(recordsOf(text).map(({ cprcode, record }) => [cprcode, record]));

/** Our texts are ASCII, which V8 holds in one byte a character. Only zones may have Thai names: two bytes for each. */
const bytesOf = (text) => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;
