// Prices that are allowed, and are slips more often than not: a build tells how many they are.
import { count } from "../../command-line/index.js";
import { PRICE_COLUMNS } from "./columns.js";

/** Doubles leave more: 37.300000000000004 was 37.3. */
const MOST_PLACES = 4;

const TAIL = `more than ${MOST_PLACES} decimal places`;

const SLIP = new RegExp(`"(${PRICE_COLUMNS.join("|")})":(?:0[,}]|(\\d+\\.\\d{${MOST_PLACES + 1},}))`, "g");

export class Slips {
  #zeros = { count: 0, first: "" };
  #tails = { count: 0, first: "" };

  /**
   * @param {string} record as the store keeps it: without zeros at the end of decimals
   * @param {number} line
   */
  look(record, line) {
    for (const [, column, tail] of record.matchAll(SLIP)) {
      const kind = tail === undefined ? this.#zeros : this.#tails;
      kind.count += 1;
      if (kind.count === 1) kind.first = `${column} in line ${line}${tail === undefined ? "" : `, ${tail}`}`;
    }
  }

  /**
   * What there is to say, as sentences.
   * @returns {string[]}
   */
  get sentences() {
    const sentences = [
      { ...this.#zeros, one: "is 0", many: "are 0" },
      { ...this.#tails, one: `has ${TAIL}`, many: `have ${TAIL}` },
    ];
    return sentences
      .filter((kind) => kind.count > 0)
      .map((kind) => `${count(kind.count, "price")} ${kind.count === 1 ? kind.one : kind.many} (first: ${kind.first})`);
  }
}
