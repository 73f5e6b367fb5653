// The lines that `--skip-broken` leaves out: how many, and the first of them.
import { texts, whole } from "./shape.js";

const MOST_NAMED = 10;

/** Those of threads and parts add up in any order: the first are so by their sentences. */
export class BrokenLines {
  count = 0;
  /** @type {string[]} sentences, each begins with the place */
  first = [];

  /** @param {string} sentence */
  add(sentence) {
    this.count += 1;
    this.#name(sentence);
  }

  /** @param {{ count: number, first: string[] }} other from a thread or a file, without its methods */
  merge({ count, first }) {
    this.count += count;
    for (const sentence of first) this.#name(sentence);
  }

  #name(sentence) {
    if (this.first.length === MOST_NAMED && byPlace(sentence, this.first.at(-1)) >= 0) return;
    this.first.push(sentence);
    this.first.sort(byPlace).splice(MOST_NAMED);
  }
}

/** Of a tally; without --skip-broken there is none. */
export function brokenIn(value) {
  return value === undefined ? undefined : { count: whole(value?.count, "broken", "lines"), first: texts(value.first, "broken") };
}

const byPlace = (a, b) => compare(padded(a), padded(b)) || compare(a, b);

const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** Line 9 comes before line 10. */
const padded = (sentence) => sentence.replace(/\d+/g, (digits) => digits.padStart(16, "0"));
