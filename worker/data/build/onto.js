// A version out of the one in use and rows that change it: one new layer where something changes.
import { branchIn, branchKey, layerKey, layerText, readRecords, recordsIn, TOMBSTONE } from "order-cost/internal";
import { Fault } from "../../command-line/index.js";
import { inGroups, Sorter } from "../files/index.js";
import { FieldCounts, lostBetween, priceOf, quoted, shown } from "../input/index.js";
import { ChangesWriter, layersAt } from "../versions/index.js";
import { commonest } from "./bases.js";
import { LayerMaker, writeAllUntil } from "./layers.js";

/** Rows are compared in portions of about this many, so that each branch is asked for many products at once. */
const PORTION_ROWS = 20_000;

/** So many branches are asked at once: their shards are read together. */
const BRANCHES_AT_ONCE = 100;

/**
 * @typedef {{ records: number, layers: string[], base?: string }} Branch
 * @typedef {{ bases: Record<string, string[]>, branches: Record<string, Branch> }} Stacks
 * @typedef {Map<string, Map<number, string>>} Records by branch and product
 * @typedef {Map<string, Map<number, { before: string | null, after: string | null }>>} Changed by branch and product
 */

/**
 * The layers of all bases and branches of a version. A branch of format 1 becomes a layer of the shards that it has.
 * @param {import("order-cost/internal").Manifest} version
 * @param {import("../versions/texts.js").Reader} reader
 * @param {import("../versions/texts.js").TextFolder} folder
 * @returns {Promise<Stacks>}
 */
export async function stacksOf({ bases = {}, branches }, reader, folder) {
  const all = Object.entries(branches);
  const listed = all.flatMap(([, { list }]) => (list === undefined ? [] : [branchKey(list)]));
  const texts = await reader.read(listed);
  /** @type {[branchId: string, branch: Branch][]} */
  const found = [];
  for (const [branchId, branch] of all) {
    const { records, bytes = 0, list } = branch;
    const { shards, layers = [], base } = list === undefined ? branch : contentIn(texts.get(branchKey(list)));
    if (base !== undefined && !Object.hasOwn(bases, base)) {
      throw new Fault(
        `branch ${shown(branchId)}: expected a base of the version in use, got ${quoted(base)}: build that version anew from its files`,
      );
    }
    const own = shards ? [await folder.write(layerKey, layerText({ records, bytes, shards }))] : layers;
    found.push([branchId, { records, layers: own, ...(base !== undefined && { base }) }]);
  }
  return { bases, branches: Object.fromEntries(found) };
}

/**
 * What a branch's own text says in place of the manifest.
 * @param {string | undefined} text
 * @returns {{ layers?: string[], base?: string, shards?: string[] }}
 */
function contentIn(text) {
  const content = branchIn(text ?? "") ?? {};
  return Array.isArray(content) ? { shards: content } : content;
}

/**
 * What rows change about a version. First `take` them, then `write`.
 */
export class Change {
  #stacks;
  #reader;
  #sorter;
  #changes;
  /**
   * The new layers, by what they are for.
   * @type {Map<string, LayerMaker>}
   */
  #makers = new Map();
  /**
   * The branches of each base.
   * @type {Map<string, string[]>}
   */
  #members = new Map();
  /**
   * How many records each branch has.
   * @type {Map<string, number>}
   */
  #counts = new Map();
  /**
   * Keys to remove that are not in use.
   * @type {string[]}
   */
  absent = [];
  /** How many records lose a field, because the rows do not have it. */
  poorer = 0;
  /** How many lose each field. */
  lost = new FieldCounts();
  /** How many have each. Undefined: the version in use does not say of its own. */
  fields;
  /**
   * The branches that had no record before.
   * @type {string[]}
   */
  newBranches = [];

  /**
   * @param {Stacks} stacks
   * @param {Record<string, number> | undefined} fields how many of its records have each
   * @param {import("../versions/texts.js").Reader} reader
   * @param {import("../versions/texts.js").TextFolder} folder
   * @param {string} work a folder for what only the build needs
   */
  constructor(stacks, fields, reader, folder, work) {
    this.#stacks = stacks;
    this.fields = fields && new FieldCounts(fields);
    this.#reader = reader;
    this.#sorter = new Sorter(work);
    this.#changes = new ChangesWriter(folder);
    for (const name of Object.keys(stacks.bases)) this.#members.set(name, []);
    for (const [branchId, { records, base }] of Object.entries(stacks.branches)) {
      this.#counts.set(branchId, records);
      if (base !== undefined) this.#members.get(base)?.push(branchId);
    }
  }

  /**
   * @param {Sorter} sorter with all rows
   * @param {(rows: number) => void} onDone
   */
  async take(sorter, onDone) {
    /** @type {import("../files/sorter.js").Product[]} */
    let portion = [];
    let size = 0;
    for await (const { products, end } of sorter.buckets()) {
      portion.push(...products);
      for (const { rows } of products) size += rows.length;
      if (size < PORTION_ROWS && end < 1) continue;
      await this.#takePortion(portion);
      onDone(size);
      [portion, size] = [[], 0];
    }
  }

  /** @param {import("../files/sorter.js").Product[]} products */
  async #takePortion(products) {
    const asked = byBranch(products);
    const befores = await inGroups(asked, BRANCHES_AT_ONCE, ([branchId, rows]) => this.#recordsBefore(branchId, rows));
    /** @type {Changed} */
    const changed = new Map();
    for (const [index, [branchId, rows]] of asked.entries()) {
      const found = this.#changedAt(branchId, rows, befores[index]);
      if (found.size > 0) changed.set(branchId, found);
    }
    await this.#note(changed);
    /** @type {Records} */
    const records = new Map();
    for (const [branchId, found] of changed) {
      records.set(branchId, new Map(Array.from(found, ([cprcode, { after }]) => [cprcode, after ?? TOMBSTONE])));
    }
    for (const [name, members] of this.#members) await this.#moveToBase(name, members, records);
    for (const [branchId, own] of records) for (const [cprcode, record] of own) await this.#put(branchTarget(branchId), cprcode, record);
  }

  /**
   * @param {string} branchId
   * @param {import("../files/sorter.js").SortedRow[]} rows
   */
  #recordsBefore(branchId, rows) {
    return readRecords(
      this.#stacks,
      branchId,
      rows.map(({ cprcode }) => cprcode),
      this.#reader,
    );
  }

  /**
   * What rows change about a branch, by product.
   * @param {string} branchId
   * @param {import("../files/sorter.js").SortedRow[]} rows
   * @param {(string | null)[]} befores
   */
  #changedAt(branchId, rows, befores) {
    /** @type {Map<number, { before: string | null, after: string | null }>} */
    const changed = new Map();
    for (const [index, { cprcode, record }] of rows.entries()) {
      const [before, after] = [befores[index], record === "" ? null : record];
      if (before !== after) {
        changed.set(cprcode, { before, after });
        if (before !== null) this.fields?.add(before, -1);
        if (after !== null) this.fields?.add(after);
        if (before !== null && after !== null) this.#noteLost(before, after);
      } else if (after === null) this.absent.push(`${cprcode} at ${branchId}`);
    }
    return changed;
  }

  /**
   * @param {string} before
   * @param {string} after
   */
  #noteLost(before, after) {
    const lost = lostBetween(before, after);
    if (lost.length > 0) this.poorer += 1;
    this.lost.addNames(lost);
  }

  /** @param {Changed} changed */
  async #note(changed) {
    for (const [branchId, found] of changed) {
      if (!this.#counts.has(branchId)) this.newBranches.push(branchId);
      let count = this.#counts.get(branchId) ?? 0;
      for (const [cprcode, { before, after }] of found) {
        count += Number(after !== null) - Number(before !== null);
        await this.#changes.add({ branchId, cprcode, before: before && priceOf(before), after: after && priceOf(after) });
      }
      this.#counts.set(branchId, count);
    }
  }

  /**
   * Where most branches of a base get the same record, one in the base may do for all. The other branches then need records
   * of their own, if they would get another one from it.
   * @param {string} name
   * @param {string[]} members its branches
   * @param {Records} records to write
   */
  async #moveToBase(name, members, records) {
    const moving = movingTo(members, records);
    if (moving.size === 0) return;
    const cprcodes = [...moving.keys()];
    const shared = [...moving.values()];
    const ofBase = await this.#recordsIn(this.#stacks.bases[name], cprcodes);
    /**
     * For each product the records that branches would need.
     * @type {[branchId: string, record: string][][]}
     */
    const needed = cprcodes.map(() => []);
    const owns = await inGroups(members, BRANCHES_AT_ONCE, (branchId) => this.#recordsIn(this.#stacks.branches[branchId].layers, cprcodes));
    for (const [place, branchId] of members.entries()) {
      const own = owns[place];
      for (const [index, cprcode] of cprcodes.entries()) {
        const wanted = records.get(branchId)?.get(cprcode) ?? own[index] ?? ofBase[index] ?? TOMBSTONE;
        if ((own[index] ?? shared[index].record) !== wanted) needed[index].push([branchId, wanted]);
      }
    }
    for (const [index, cprcode] of cprcodes.entries()) {
      const { record, size } = shared[index];
      if (needed[index].length + 1 >= size) continue;
      for (const branchId of members) records.get(branchId)?.delete(cprcode);
      for (const [branchId, own] of needed[index]) {
        const ofBranch = records.get(branchId) ?? new Map();
        records.set(branchId, ofBranch.set(cprcode, own));
      }
      await this.#put(baseTarget(name), cprcode, record);
    }
  }

  /**
   * @param {string[]} layers
   * @param {number[]} cprcodes
   */
  #recordsIn = async (layers, cprcodes) => recordsIn(await layersAt(layers, this.#reader), cprcodes, this.#reader);

  /**
   * @param {string} target
   * @param {number} cprcode
   * @param {string} record
   */
  async #put(target, cprcode, record) {
    let maker = this.#makers.get(target);
    if (!maker) this.#makers.set(target, (maker = new LayerMaker()));
    maker.count(cprcode, record);
    const waiting = this.#sorter.add({ cprcode, branchId: target, file: 0, line: 0, record });
    if (waiting) await waiting;
  }

  /**
   * Writes the new layers.
   * @param {import("../versions/texts.js").TextFolder} folder
   * @param {number | undefined} shardBytes
   */
  async write(folder, shardBytes) {
    const makers = new Map();
    const stacks = this.#stacksAfter();
    for (const [target, stack] of stacks) {
      const maker = this.#makers.get(target);
      if (!maker) continue;
      maker.begin(folder, { hasFilter: stack.layers.length > 0 || stack.base !== undefined, shardBytes });
      makers.set(target, maker);
    }
    for await (const { products, end } of this.#sorter.buckets()) {
      for (const { cprcode, rows } of products) for (const { branchId, record } of rows) makers.get(branchId)?.add(cprcode, record);
      await writeAllUntil([...makers.values()], end);
    }
    for (const [target, maker] of makers) stacks.get(target).layers = [await maker.finish(), ...stacks.get(target).layers];
    return { ...this.#contentOf(stacks), changes: await this.#changes.finish() };
  }

  /** All bases and branches that have records, by what a layer is for. */
  #stacksAfter() {
    const stacks = new Map();
    for (const branchId of [...this.#counts.keys()].sort()) {
      const records = this.#counts.get(branchId);
      if (records === 0) continue;
      const branch = Object.hasOwn(this.#stacks.branches, branchId) ? this.#stacks.branches[branchId] : { records, layers: [] };
      stacks.set(branchTarget(branchId), { ...branch, records });
      if (branch.base !== undefined) stacks.set(baseTarget(branch.base), { layers: this.#stacks.bases[branch.base] });
    }
    return stacks;
  }

  #contentOf(stacks) {
    const names = Object.keys(this.#stacks.bases).filter((name) => stacks.has(baseTarget(name)));
    const branchIds = [...this.#counts.keys()].sort().filter((branchId) => stacks.has(branchTarget(branchId)));
    return {
      bases: Object.fromEntries(names.map((name) => [name, stacks.get(baseTarget(name)).layers])),
      branches: Object.fromEntries(branchIds.map((branchId) => [branchId, stacks.get(branchTarget(branchId))])),
    };
  }
}

/** @param {string} branchId */
const branchTarget = (branchId) => `branch ${branchId}`;
/** @param {string} name */
const baseTarget = (name) => `base ${name}`;

/**
 * The rows of each branch; both in order, so that equal files in another order make an equal version.
 * @param {import("../files/sorter.js").Product[]} products
 */
function byBranch(products) {
  /** @type {Map<string, import("../files/sorter.js").SortedRow[]>} */
  const branches = new Map();
  for (const { rows } of products.sort((left, right) => left.cprcode - right.cprcode)) {
    for (const row of rows) {
      const ofBranch = branches.get(row.branchId);
      if (ofBranch) ofBranch.push(row);
      else branches.set(row.branchId, [row]);
    }
  }
  return [...branches].sort(([left], [right]) => (left < right ? -1 : 1));
}

/**
 * The products that more than half of the members change to one record: that record, and how many change at all.
 * @param {string[]} members
 * @param {Records} records
 */
function movingTo(members, records) {
  /** @type {Map<number, string[]>} */
  const changing = new Map();
  for (const branchId of members) {
    for (const [cprcode, record] of records.get(branchId) ?? []) {
      const wanted = changing.get(cprcode);
      if (wanted) wanted.push(record);
      else changing.set(cprcode, [record]);
    }
  }
  /** @type {Map<number, { record: string, size: number }>} */
  const moving = new Map();
  for (const [cprcode, wanted] of changing) {
    if (wanted.length * 2 <= members.length) continue;
    const { record, count } = commonest(wanted, (each) => each);
    if (count * 2 > members.length) moving.set(cprcode, { record, size: wanted.length });
  }
  return moving;
}
