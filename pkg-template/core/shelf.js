// The shelf of a catalogue: its price records in the module's memory, where orders find them without a question.
import { atHand } from "../shared/index.js";
import { ShelfHandle } from "../wasm/order_cost.js";
import { countAsLasting, enter, instanceId } from "./instance.js";

const encoder = new TextEncoder();

/** Knows versions, branches and shards by their names alone: after damage it begins empty in the next instance. */
export class Shelf {
  #handle;
  #instance;
  #owner = new WeakRef(this);

  get #current() {
    if (this.#instance !== instanceId()) {
      this.#handle = enter(() => new ShelfHandle());
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
   * @param {import("../catalogue/layer.js").Shards[]} layers the newest first
   * @param {number} mostBytes what was used longest ago goes beyond that
   */
  learn(id, branchId, layers, mostBytes) {
    const text = layers.map(({ id, names, filter }) => `${id}\n${names}\n${filter}\n`).join("");
    enter(() => this.#current.learn(id, branchId, text, Math.max(0, mostBytes)));
  }

  /**
   * Puts a shard on the shelf, if it knows a layer that names it.
   * @param {string} name its hash
   * @param {string} text
   * @param {number} mostBytes
   */
  put(name, text, mostBytes) {
    const bytes = encoder.encode(text); // outside the entry: there an error for a large text would count as damage
    enter(() => this.#current.put(name, bytes, Math.max(0, mostBytes)));
    countAsLasting(this.#owner, this.bytes);
  }

  /** Whether a shard is on the shelf. */
  has(name) {
    return enter(() => this.#current.has(name));
  }

  /** The records of a shard, as texts. Undefined: it is not on the shelf. */
  records(name) {
    return this.has(name) ? { get: (cprcode) => enter(() => this.#current.record(name, cprcode)) } : undefined;
  }

  /** Gives a learner, which has an order, the prices of a version. Returns how many. */
  stock(learner, id) {
    return learner.enter("stock", this.#current, id);
  }
}

/**
 * Gives a learner, which has an order, the prices that are at hand, if its host looks them up in a catalogue.
 *
 * @param {{ enter: (entry: string, ...values: unknown[]) => any }} learner
 * @param {Partial<import("order-cost").Host> | undefined} host
 * @param {unknown} [context] of the order
 * @param {import("../http/observation.js").Observation} [watch]
 */
export function stock(learner, host, context, watch) {
  const version = versionOf(host, context);
  const shelf = version?.shelf(() => new Shelf());
  // A catalogue has one shelf, and another bundle's module cannot read it.
  if (!(shelf instanceof Shelf)) return 0;
  const since = watch && performance.now();
  const count = shelf.stock(learner, version.id);
  if (count === 0) return 0;
  watch?.ask("lookupPrices", since);
  watch?.answer("lookupPrices");
  version.took?.(count, context);
  return count;
}

/** A host's getter is left alone: it is read only for a question. */
function versionOf(host, context) {
  try {
    return Object.getOwnPropertyDescriptor(host, "lookupPrices")?.value?.[atHand]?.(context);
  } catch {
    return undefined; // no host, or a proxy that throws
  }
}
