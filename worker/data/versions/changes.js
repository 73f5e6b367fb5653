// What a version changes about the one that it was built onto, as texts: a line for each record, in no order. So nobody
// has to compare the two, which takes long.
//   ["<branchId>",<cprcode>,<price before>,<price after>]
// null in place of a price: there is no record. Equal prices: something else of the record differs.
import { changesKey } from "order-cost/internal";
import { Lines } from "../files/index.js";
import { eachText } from "./version.js";

/** KV stores values of 25 MiB. */
const ENOUGH_BYTES = 4 * 2 ** 20;

/**
 * @typedef {object} PriceChange
 * @property {string} branchId
 * @property {number} cprcode
 * @property {string | null} before THB, in the record's own digits
 * @property {string | null} after
 */

export class ChangesWriter {
  #folder;
  #lines = new Lines();
  /** @type {string[]} */
  #hashes = [];

  /** @param {import("./texts.js").TextFolder} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @param {PriceChange} change */
  async add({ branchId, cprcode, before, after }) {
    this.#lines.add(`[${JSON.stringify(branchId)},${cprcode},${before},${after}]\n`);
    if (this.#lines.bytes >= ENOUGH_BYTES) await this.#write();
  }

  /** @returns {Promise<string[]>} the hashes of all texts */
  async finish() {
    if (this.#lines.bytes > 0) await this.#write();
    return this.#hashes;
  }

  async #write() {
    this.#hashes.push(await this.#folder.write(changesKey, this.#lines.text));
    this.#lines = new Lines();
  }
}

/**
 * @param {string[]} hashes of a version's changes
 * @param {import("./version.js").Texts} texts
 * @param {(change: PriceChange) => void} take
 * @param {(done: number) => void} onText told how many texts are read
 */
export async function eachChange(hashes, texts, take, onText) {
  let done = 0;
  for (const hash of hashes) {
    await eachText([changesKey(hash)], texts, (_, text) => {
      for (const line of text.split("\n").slice(0, -1)) take(changeIn(line));
    });
    onText((done += 1));
  }
}

/**
 * JSON.parse would round the prices.
 * @param {string} line
 * @returns {PriceChange}
 */
function changeIn(line) {
  const groups = /^\[(?<branchId>".*"),(?<cprcode>-?\d+),(?<before>[^,]+),(?<after>[^,]+)\]$/s.exec(line)?.groups ?? {};
  /** @param {string} text */
  const priceOf = (text) => (text === "null" ? null : text);
  return {
    branchId: JSON.parse(groups.branchId),
    cprcode: Number(groups.cprcode),
    before: priceOf(groups.before),
    after: priceOf(groups.after),
  };
}
