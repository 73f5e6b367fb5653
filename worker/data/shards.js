// Writes the shards of a version into its folder.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { hashOf, recordsOf, shardOf, shardText } from "../src/catalogue/format.js";
import { shardKey } from "../src/keys.js";
import { fileOf } from "./version.js";

/** Chosen by measurement: CAPACITY.md. A full build makes shards of half of this to all of it. */
const SHARD_BYTES = 65_536;

/** With `--onto`, a branch's shards are split once they hold this many times as much on average. */
const MOST_GROWTH = 4;

const shardCountFor = (bytes, shardBytes) => 2 ** Math.max(0, Math.ceil(Math.log2(bytes / shardBytes)));

/** The length of a record's line in a shard. */
export const lineBytes = (cprcode, record) => `${cprcode}`.length + record.length + 2;

/**
 * A branch of the version that a build is made onto.
 * @typedef {object} BaseBranch
 * @property {number} records
 * @property {number} bytes
 * @property {number} shardCount
 * @property {string[]} hashes
 * @property {(hash: string) => Promise<string>} read gives a shard's text
 */

/** The shards of one branch. Rows come in the order of their shards. */
export class BranchShards {
  #base;
  #folder;
  #open = { index: -1, rows: [] };
  #hashes;
  #change = { records: 0, bytes: 0 };

  /**
   * @param {string} folder of the version
   * @param {number} bytes of the rows to come
   * @param {BaseBranch} [base] what they change
   * @param {number} [shardBytes] about how long a shard may be
   */
  constructor(folder, bytes, base, shardBytes = SHARD_BYTES) {
    this.#folder = folder;
    this.#base = base;
    this.shardCount = base ? grown(base, bytes, shardBytes) : shardCountFor(bytes, shardBytes);
    this.#hashes = Array(this.shardCount).fill(undefined);
    /** The products of rows that remove a record which is not there. */
    this.absent = [];
  }

  /** Whether the base's shards are split, so that each of them must be read. */
  get isSplit() {
    return this.#base !== undefined && this.shardCount > this.#base.shardCount;
  }

  /** @param {import("./sorter.js").SortedRow[]} rows of one branch and bucket */
  async take(rows) {
    const placed = rows.map((row) => ({ row, index: shardOf(row.cprcode, this.shardCount) }));
    for (const { row, index } of placed.sort((left, right) => left.index - right.index)) {
      if (index !== this.#open.index) await this.#close(index);
      this.#open.rows.push(row);
    }
  }

  /** @returns {Promise<{ records: number, bytes: number, shardCount: number, shards: string[] }>} */
  async finish() {
    await this.#close(-1);
    for (let index = 0; index < this.shardCount; index += 1) {
      if (this.#hashes[index] !== undefined) continue;
      if (this.isSplit) await this.#write(index, []);
      else this.#hashes[index] = this.#base?.hashes[index] ?? "";
    }
    const { records = 0, bytes = 0 } = this.#base ?? {};
    return {
      records: records + this.#change.records,
      bytes: bytes + this.#change.bytes,
      shardCount: this.shardCount,
      shards: this.#hashes,
    };
  }

  async #close(next) {
    if (this.#open.index >= 0) await this.#write(this.#open.index, this.#open.rows);
    this.#open = { index: next, rows: [] };
  }

  async #write(index, rows) {
    const before = await this.#baseRecords(index);
    const after = new Map(before);
    for (const { cprcode, record } of rows) {
      if (record !== "") after.set(cprcode, record);
      else if (!after.delete(cprcode)) this.absent.push(cprcode);
    }
    const text = shardText(Array.from(after, ([cprcode, record]) => ({ cprcode, record })));
    this.#change.records += after.size - before.size;
    this.#change.bytes += text.length - bytesOf(before);
    const hash = text === "" ? "" : await hashOf(text);
    this.#hashes[index] = hash;
    const isNew = hash !== "" && !this.#base?.hashes.includes(hash);
    if (isNew) await writeText(this.#folder, shardKey(hash), text);
  }

  /** The base's records in the range of a shard, by code. */
  async #baseRecords(index) {
    if (!this.#base) return new Map();
    const hash = this.#base.hashes[Math.floor((index * this.#base.shardCount) / this.shardCount)];
    const text = hash === "" ? "" : await this.#base.read(hash);
    const records = recordsOf(text).filter(({ cprcode }) => shardOf(cprcode, this.shardCount) === index);
    return new Map(records.map(({ cprcode, record }) => [cprcode, record]));
  }
}

function grown({ bytes, shardCount }, added, shardBytes) {
  const isLarge = bytes + added > MOST_GROWTH * shardBytes * shardCount;
  return isLarge ? shardCountFor(bytes + added, shardBytes) : shardCount;
}

function bytesOf(records) {
  let bytes = 0;
  for (const [cprcode, record] of records) bytes += lineBytes(cprcode, record);
  return bytes;
}

/** Writes a text of a version into its folder. */
export async function writeText(folder, key, text) {
  const file = fileOf(folder, key);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
