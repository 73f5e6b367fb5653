// The one module instance of a page or isolate, and its replacement. After a trap or a stack overflow the instance is
// damaged: its memory may hold anything, so another instance takes its place.
import { Job, memoryBytes, __wbg_reset_state as reset, takePanic } from "../wasm/order_cost.js";
import { damaged, Refusal } from "./error.js";
import { isNested } from "./host.js";

/** If orders make an instance grow beyond this, it is replaced once it is unused: wasm memory never shrinks. */
const MOST_MEMORY_BYTES = 64 * 2 ** 20;

let generation = 0;
/** The exports of the instance in use. */
let inUse;
/** The memory of delivery zones and shelves, by weak references to their owners. It does not count as growth. */
const lasting = new Map();
/** The error that damaged the previous instance. */
let lastDamage;
/** A finished job, kept for reuse. One is enough for orders in sequence, and each keeps the memory of its order. */
let idle;
/** Whether damage in one calculation may end the others at once. False in workerd: see {@link keepRequestsApart}. */
let mayEndOthers = true;
/**
 * The objects that have data in the module's memory: baskets, and jobs that wait for answers. The references are weak,
 * because a runtime may abandon a request without any cleanup, and a host may never answer.
 */
const holders = new Set();
/** Above this number, remove collected holders. */
let mostHolders = 1_000;

/** The id of the current instance. Objects that were made in an older instance are gone. */
export const instanceId = () => generation;

/**
 * Runs an entry of the module, and replaces the instance if the entry damages it. `run` may contain nothing else: a
 * RangeError of other code would count as damage.
 */
export function enter(run) {
  try {
    return run();
  } catch (thrown) {
    throw afterEntry(thrown);
  }
}

/** Turns what an entry threw into an Error: the module throws an error's facts as a plain object. */
function afterEntry(thrown) {
  if (!isDamage(thrown)) return isFacts(thrown) ? new Refusal(thrown) : thrown;
  lastDamage = withPanic(thrown);
  replaceInstance();
  // In workerd each calculation notices the damage by itself.
  if (mayEndOthers) for (const holder of [...holders]) holder.deref()?.onDamage?.(damaged(lastDamage));
  return damaged(lastDamage);
}

/** A job in the module. Once its instance is replaced, its memory belongs to other objects. */
export class HeldJob {
  /** Called with the error if the instance is damaged while the job waits. */
  onDamage;
  #job = enter(() => new Job());
  #instance = generation;

  /** Whether its instance is still in use. */
  get isWhole() {
    return this.#instance === generation;
  }

  /** Runs an entry of the job. */
  enter(entry, a, b, c) {
    if (this.#instance !== generation) throw damaged(lastDamage);
    try {
      return this.#job[entry](a, b, c);
    } catch (thrown) {
      throw afterEntry(thrown);
    }
  }

  /** Calls `start`, which gives the job an order. */
  start(start) {
    if (this.#instance !== generation) throw damaged(lastDamage);
    enter(() => start(this.#job));
  }

  /** Keeps the job for another calculation. Only for a job that has succeeded. */
  giveBack() {
    if (idle || this.#instance !== generation) this.free();
    else idle = this;
  }

  free() {
    release(this.#job, this.#instance);
  }
}

export function takeJob() {
  const job = idle ?? new HeldJob();
  idle = undefined;
  return job;
}

/** Frees an object, unless the instance in which it was made is gone. */
export function release(object, instance) {
  if (instance === generation) enter(() => object.free());
}

/**
 * Lets each calculation notice by itself that its instance is gone: when an answer comes or its deadline passes. In
 * workerd a promise belongs to the request that created it. If another request settles the promise, the code that
 * awaits it may continue in that other request, and it fails there at the first stream that it touches.
 */
export function keepRequestsApart() {
  mayEndOthers = false;
}

/** Registers `owner`, which keeps data in the module's memory beyond a call. Returns a function that ends this. */
export function hold(owner) {
  const holder = new WeakRef(owner);
  holders.add(holder);
  if (holders.size > mostHolders) {
    for (const other of holders) if (!other.deref()) holders.delete(other);
    mostHolders = Math.max(1_000, 2 * holders.size);
  }
  return () => holders.delete(holder);
}

/**
 * Runs `run`, which loads delivery zones. They may have any size, and another instance would have to load them again:
 * their memory does not count toward `MOST_MEMORY_BYTES` while the pricer, `owner`, is in use.
 */
export function withLastingMemory(owner, run) {
  const before = memoryBytes();
  const result = run();
  const grown = memoryBytes() - before;
  if (grown > 0) lasting.set(new WeakRef(owner), grown);
  return result;
}

/** The same for what knows how much it has: `owner` is always the same reference. */
export function countAsLasting(owner, bytes) {
  lasting.set(owner, bytes);
}

function lastingBytes() {
  let bytes = 0;
  for (const [owner, grown] of lasting) {
    if (owner.deref()) bytes += grown;
    else lasting.delete(owner);
  }
  return bytes;
}

/** Whether a load has given an instance. */
export const isLoaded = () => inUse !== undefined;

/**
 * Follows a load, which has given these exports. Two loads at once, of which one did not wait, give two instances: the
 * last one counts.
 */
export function useInstance(exports) {
  if (inUse !== undefined && inUse !== exports) forget();
  inUse = exports;
}

/** Replaces an instance that has grown too large, if nothing uses it. */
export function tidy() {
  const bytes = memoryBytes();
  if (bytes > MOST_MEMORY_BYTES && bytes - lastingBytes() > MOST_MEMORY_BYTES && !isInUse()) replaceInstance();
}

function isInUse() {
  for (const holder of holders) {
    if (holder.deref()) return true;
    holders.delete(holder);
  }
  return isNested();
}

function replaceInstance() {
  forget();
  reset();
}

/** What was made in the instance is gone. */
function forget() {
  generation += 1;
  lasting.clear();
  idle = undefined;
}

/** An Error of the runtime may have a code, too. */
const isFacts = (thrown) => typeof thrown?.code === "string" && typeof thrown.retryable === "boolean";

/** Whether a trap or a stack overflow was thrown. Each engine has its own error for a stack overflow. */
function isDamage(thrown) {
  return thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError || thrown?.name === "InternalError";
}

/** Adds the message of the panic: a trap itself says only that it is a trap. */
function withPanic(trap) {
  try {
    const panic = takePanic();
    return panic === undefined ? trap : new Error(panic, { cause: trap });
  } catch {
    return trap; // the instance is too damaged to report its panic
  }
}
