// Sorts rows by place on disk, so that a build's memory does not grow with its files.
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { placeOf } from "order-cost/internal";

/** Each holds a range of places. At ten million rows, 40,000 rows of one are in memory. */
const BUCKETS = 256;
const BUCKET_PLACES = 2 ** 32 / BUCKETS;

/** A bucket's rows go to disk in pieces of this many bytes. */
const PIECE_BYTES = 2 ** 16;

/**
 * A row of the files that a version is built from.
 * @typedef {object} SortedRow
 * @property {number} cprcode
 * @property {string} branchId
 * @property {number} file an index
 * @property {number} line
 * @property {string} record "" for a row that removes its record
 *
 * @typedef {{ cprcode: number, rows: SortedRow[] }} Product all rows of a product, in the order in which they were added
 *
 * @typedef {object} Bucket
 * @property {Product[]} products in no order
 * @property {number} end the share of all places that ends with this bucket: those of later buckets come after it
 */

const NOTHING = { buffer: Buffer.alloc(0), size: 0 };

export class Sorter {
  #folder;
  /** @type {string[]} */
  #branches = [];
  /** @type {Map<string, number>} */
  #branchIndex = new Map();
  /** @type {Set<number>} */
  #onDisk = new Set();
  /**
   * Rows that are not on disk yet, by bucket. As strings they would take many times as much memory.
   * @type {Map<number, { buffer: Buffer, size: number }>}
   */
  #waiting = new Map();

  /** @param {string} folder for its files; it must not exist yet */
  constructor(folder) {
    this.#folder = folder;
  }

  /** The branches of all rows. */
  get branchIds() {
    return this.#branches;
  }

  /**
   * Takes a row. Wait for the promise, if there is one, before the next row.
   * @param {SortedRow} row
   * @returns {Promise<void> | undefined}
   */
  add(row) {
    const bucket = Math.floor(placeOf(row.cprcode) / BUCKET_PLACES);
    const { cprcode, branchId, file, line, record } = row;
    const text = `${cprcode}\t${this.#indexOf(branchId)}\t${file}\t${line}\t${record}\n`;
    const waiting = this.#waitingIn(bucket);
    if (waiting.size + text.length > PIECE_BYTES) return this.#write(bucket, waiting).then(() => void this.add(row));
    waiting.size += waiting.buffer.write(text, waiting.size, "latin1");
    return undefined;
  }

  /** @param {number} bucket */
  #waitingIn(bucket) {
    const waiting = this.#waiting.get(bucket) ?? { buffer: Buffer.allocUnsafeSlow(PIECE_BYTES), size: 0 };
    if (waiting.size === 0) this.#waiting.set(bucket, waiting);
    return waiting;
  }

  /** @param {string} branchId */
  #indexOf(branchId) {
    let index = this.#branchIndex.get(branchId);
    if (index === undefined) {
      index = this.#branches.push(branchId) - 1;
      this.#branchIndex.set(branchId, index);
    }
    return index;
  }

  /**
   * @param {number} bucket
   * @param {{ buffer: Buffer, size: number }} waiting
   */
  async #write(bucket, waiting) {
    if (this.#onDisk.size === 0) await mkdir(this.#folder, { recursive: true });
    await appendFile(this.#file(bucket), waiting.buffer.subarray(0, waiting.size));
    this.#onDisk.add(bucket);
    waiting.size = 0;
  }

  /** @param {number} bucket */
  #file = (bucket) => join(this.#folder, `${bucket}`);

  /**
   * All rows; may be asked again.
   * @returns {AsyncGenerator<Bucket>}
   */
  async *buckets() {
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      const written = this.#onDisk.has(bucket) ? await readFile(this.#file(bucket), "latin1") : "";
      const { buffer, size } = this.#waiting.get(bucket) ?? NOTHING;
      yield { products: this.#productsIn(written + buffer.toString("latin1", 0, size)), end: (bucket + 1) / BUCKETS };
    }
  }

  /** @param {string} text */
  #productsIn(text) {
    /** @type {Map<number, Product>} */
    const products = new Map();
    for (const line of text.split("\n").slice(0, -1)) {
      const row = this.#row(line);
      const product = products.get(row.cprcode);
      if (product) product.rows.push(row);
      else products.set(row.cprcode, { cprcode: row.cprcode, rows: [row] });
    }
    return [...products.values()];
  }

  /** @param {string} text */
  #row = (text) => {
    const [cprcode, branch, file, line, record] = text.split("\t");
    return { cprcode: Number(cprcode), branchId: this.#branches[Number(branch)], file: Number(file), line: Number(line), record };
  };
}
