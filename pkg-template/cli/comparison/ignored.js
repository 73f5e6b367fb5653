// `--ignore` and `--ignore-path`: differences that do not count.
import { glob } from "./globs.js";

const ALWAYS = ["failed", "unmatched"];

/**
 * A failure and a missing order always count. No kind leaves out a total that is missing or no number: only a path that
 * names it.
 */
export class Ignored {
  #kinds;
  #patterns;

  constructor(kinds = [], patterns = []) {
    this.#kinds = kinds;
    this.#patterns = patterns.map((pattern) => ({ pattern, matches: glob(pattern), isUsed: false }));
  }

  /** The differences that count. */
  rest(differences) {
    return differences.filter((difference) => !this.#ignores(difference));
  }

  #ignores({ path, kind }) {
    if (ALWAYS.includes(kind)) return false;
    const matching = this.#patterns.filter(({ matches }) => matches(path));
    for (const entry of matching) entry.isUsed = true;
    const isTotal = path === "grandTotal" && ["missing", "type"].includes(kind);
    return matching.length > 0 || (this.#kinds.includes(kind) && !isTotal);
  }

  /** The patterns that matched no difference. */
  unused() {
    return this.#patterns.filter(({ isUsed }) => !isUsed).map(({ pattern }) => pattern);
  }

  /** A sentence for each of them. */
  unusedSentences() {
    return this.unused().map((pattern) => `--ignore-path: ${pattern} matches no difference`);
  }

  /** @param {string[]} unused those of a tally */
  merge(unused) {
    for (const entry of this.#patterns) entry.isUsed ||= !unused.includes(entry.pattern);
  }
}
