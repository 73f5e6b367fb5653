// Writes layers.
import { filterOf, layerKey, layerText, recordsOf, shardKey, shardOf, shardText } from "order-cost/internal";
import { inGroups, Lines } from "../files/index.js";

/** Chosen by measurement: CAPACITY.md. Shards have half of this to all of it. */
const SHARD_BYTES = 32_768;

/** An order seldom reads a shard of a layer with a filter, so few large ones do: 2,000 repriced products are one. */
const FILTERED_SHARD_BYTES = 131_072;

/**
 * @param {number} bytes
 * @param {number} shardBytes
 */
const shardCountFor = (bytes, shardBytes) => 2 ** Math.max(0, Math.ceil(Math.log2(bytes / shardBytes)));

/**
 * A layer that is made in two passes over its records, because their bytes say how many shards it has: `count` each,
 * `begin`, `add` each, `finish`.
 */
export class LayerMaker {
  records = 0;
  bytes = 0;
  #folder;
  /**
   * The hash of each shard.
   * @type {string[]}
   */
  #shards = [];
  /**
   * What has come of each shard that is not written yet.
   * @type {Map<number, Lines>}
   */
  #waiting = new Map();
  /**
   * The products, if the layer has a filter.
   * @type {Float64Array | undefined}
   */
  #codes;
  #added = 0;

  /**
   * @param {number} cprcode
   * @param {string} record
   */
  count(cprcode, record) {
    this.records += 1;
    this.bytes += `${cprcode}`.length + record.length + 2;
  }

  /**
   * @param {import("../versions/texts.js").TextFolder} folder
   * @param {{ hasFilter: boolean, shardBytes?: number }} options `shardBytes`: about how long a shard may be
   */
  begin(folder, { hasFilter, shardBytes = hasFilter ? FILTERED_SHARD_BYTES : SHARD_BYTES }) {
    this.#folder = folder;
    this.#shards = Array(shardCountFor(this.bytes, shardBytes)).fill("");
    if (hasFilter) this.#codes = new Float64Array(this.records);
  }

  /**
   * @param {number} cprcode
   * @param {string} record
   */
  add(cprcode, record) {
    if (this.#codes) this.#codes[this.#added++] = cprcode;
    const index = shardOf(cprcode, this.#shards.length);
    let lines = this.#waiting.get(index);
    if (!lines) this.#waiting.set(index, (lines = new Lines()));
    lines.add(`${cprcode} ${record}\n`);
  }

  /**
   * Writes the shards that are complete.
   * @param {number} end the share of all places whose records have been added
   */
  async writeUntil(end) {
    for (const [index, lines] of this.#waiting) {
      if ((index + 1) / this.#shards.length > end) continue;
      this.#waiting.delete(index);
      this.#shards[index] = await this.#folder.write(shardKey, shardText(recordsOf(lines.text)));
    }
  }

  /** @returns {Promise<string>} the layer's hash */
  async finish() {
    await this.writeUntil(1);
    const filter = this.#codes && filterOf(this.#codes.sort());
    return this.#folder.write(layerKey, layerText({ records: this.records, bytes: this.bytes, shards: this.#shards, filter }));
  }
}

/** So many shards are hashed and written at once. All of 400 branches would take 100 MB. */
const AT_ONCE = 16;

/**
 * Writes the shards of many layers that are complete.
 * @param {LayerMaker[]} makers
 * @param {number} end
 */
export const writeAllUntil = (makers, end) => inGroups(makers, AT_ONCE, (maker) => maker.writeUntil(end));
