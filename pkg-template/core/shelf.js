// The shelf of a catalogue: its price records in the module's memory, where orders find them without a question.
import { atHand } from "../shared/index.js";
import { ShelfHandle } from "../wasm/order_cost.js";
import { countAsLasting, enter, instanceId } from "./instance.js";

/** Knows versions, branches and shards by their names alone: after damage it begins empty in the next instance. */
export class Shelf {
  #mostBytes;
  #handle;
  #instance;
  #owner = new WeakRef(this);

  /** @param {number} mostBytes what was used longest ago goes beyond that */
  constructor(mostBytes) {
    this.#mostBytes = mostBytes;
  }

  get #current() {
    if (this.#instance !== instanceId()) {
      this.#handle = enter(() => new ShelfHandle(this.#mostBytes));
      this.#instance = instanceId();
    }
    return this.#handle;
  }

  get bytes() {
    return enter(() => this.#current.bytes());
  }

  /** Whether the layers of a version's branch are known. */
  knows(id, branchId) {
    return enter(() => this.#current.knows(id, branchId));
  }

  /**
   * Learns the layers of a version's branch.
   * @param {string} id
   * @param {string} branchId
   * @param {{ id: string, names: string, filter: string }[]} layers the newest first; see layer.js of the catalogue
   */
  learn(id, branchId, layers) {
    const text = layers.map(({ id, names, filter }) => `${id}\n${names}\n${filter}\n`).join("");
    enter(() => this.#current.learn(id, branchId, text));
    countAsLasting(this.#owner, this.bytes);
  }

  /**
   * Puts a shard on the shelf, if it knows a layer that names it.
   * @param {string} name its hash
   * @param {string} text
   */
  put(name, text) {
    enter(() => this.#current.put(name, text));
    countAsLasting(this.#owner, this.bytes);
  }

  /** Whether a shard is on the shelf. */
  has(name) {
    return enter(() => this.#current.has(name));
  }

  /** The records of a shard, as texts, for now: a read may push it out. Undefined: it is not on the shelf. */
  records(name) {
    return this.has(name) ? { get: (cprcode) => this.#record(name, cprcode) } : undefined;
  }

  #record(name, cprcode) {
    const record = enter(() => this.#current.record(name, cprcode));
    if (record !== undefined || this.has(name)) return record;
    throw new Error("A shard has left the shelf"); // what a layer behind it has might be wrong
  }

  /**
   * The shelf of the catalogue in which a host looks prices up for an order of this context, and the version.
   *
   * @param {Partial<import("order-cost").Host> | undefined} host
   * @param {unknown} [context]
   */
  static atHand(host, context) {
    const version = versionOf(host, context);
    const shelf = version?.shelf((mostBytes) => new Shelf(mostBytes));
    // A catalogue has one shelf, and another bundle's module cannot read it.
    return shelf instanceof Shelf ? { shelf, version } : undefined;
  }

  /** Gives a learner, which has an order, the prices of a version. Returns how many. */
  stock(learner, id, withOld) {
    return learner.enter("stock", this.#current, id, withOld);
  }
}

/** Gives a job the prices that are at hand. Returns how many. */
export function stockJob(job, host, context, watch) {
  const found = Shelf.atHand(host, context);
  if (!found) return 0;
  const since = watch && performance.now();
  const { shelf, version } = found;
  const count = shelf.stock(job, version.id);
  if (count === 0) return 0;
  watch?.ask("lookupPrices", since);
  watch?.answer("lookupPrices");
  version.took?.(count, context);
  return count;
}

/** The version that a host asks: only if its function is the catalogue's own, not a copy. A getter is read only for a question. */
function versionOf(host, context) {
  const lookup = ownValue(host, "lookupPrices");
  const given = ownValue(lookup, atHand);
  return given?.of === lookup ? given?.version(context) : undefined;
}

function ownValue(object, name) {
  try {
    return Object.getOwnPropertyDescriptor(object, name)?.value;
  } catch {
    return undefined; // nothing, or a proxy that throws
  }
}
