// The module's instance, of which a page or isolate has one, and what becomes of it when it is damaged: after a trap or a
// stack overflow its memory may hold anything, so that another instance takes its place.
import { __wbg_reset_state as reset, memoryBytes, takePanic } from "./wasm/order_cost.js";

/** An instance that orders have grown beyond this is replaced when nobody uses it: wasm memory never shrinks. */
const MOST_MEMORY_BYTES = 64 * 2 ** 20;

/** A host may price other orders from inside its callbacks, but not without end: the stack is everybody's. */
const MOST_NESTED = 32;

let generation = 0;
/** What the memory has grown by for what every instance has to have. */
let keptBytes = 0;
/** How many calls into the module are on the stack. */
let depth = 0;
/** What was thrown where the instance was damaged, until another one is there. */
let damage;
/** The same of the instance before this one. */
let lastDamage;
/** What rejects each calculation that waits for answers. */
const waiting = new Set();
/** Whether a calculation may be ended from inside another one. */
let mayEndOthers = true;
/** Whoever keeps something in the module's memory; weakly, as a runtime may tear a request down where it stands. */
const keepers = new Set();

/** Which instance it is: what was made in an older one is gone. */
export const instanceId = () => generation;

/** Runs a call into the module; where that damages the instance, another one takes its place. */
export function enter(run) {
  if (damage) throw internal(damage);
  depth += 1;
  try {
    return run();
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    damage ??= withPanic(thrown);
    throw internal(damage);
  } finally {
    depth -= 1;
    // Not under a call of the old instance, which would go on in the new one's memory.
    if (damage && depth === 0) replace();
  }
}

/** Fails where calculations have been started from inside one another's callbacks without end. */
export function throwIfNestedDeep() {
  if (depth < MOST_NESTED) return;
  const message = `A callback of the host started a calculation more than ${MOST_NESTED} deep in others`;
  throw { code: "INTERNAL", message, retryable: false };
}

/** What was made in the module, by `make`. Where another instance has taken its place, somebody else has its memory. */
export class Held {
  #object;
  #instance = generation;

  constructor(make) {
    this.#object = enter(make);
  }

  /** Runs a call into the module with it. */
  use(run) {
    if (this.#instance !== generation) throw internal(lastDamage);
    return enter(() => run(this.#object));
  }

  free() {
    release(this.#object, this.#instance);
  }
}

/** Frees what was made in that instance. */
export function release(object, instance) {
  if (instance === generation && !damage) enter(() => object.free());
}

/** Has `reject` called with the error where the instance is replaced; gives what ends that. */
export function whileWaiting(reject) {
  if (mayEndOthers) waiting.add(reject);
  return () => waiting.delete(reject);
}

/**
 * Leaves each calculation to notice by itself that its instance is gone, when an answer comes or its deadline passes. In
 * workerd a promise belongs to the request that made it: what awaits one that another request has settled may go on in
 * the other one, and fails there at the first stream that it touches.
 */
export function keepRequestsApart() {
  mayEndOthers = false;
}

/** Says that `owner` has something in the module's memory for longer than a call; gives what ends that. */
export function keep(owner) {
  const keeper = new WeakRef(owner);
  keepers.add(keeper);
  return () => keepers.delete(keeper);
}

/** Runs what takes in something of any size that another instance would have to take in again: delivery zones. */
export function keeping(run) {
  const before = memoryBytes();
  run();
  keptBytes += memoryBytes() - before;
}

/** Replaces an instance that has grown large, if nobody would notice. */
export function tidy() {
  if (memoryBytes() - keptBytes > MOST_MEMORY_BYTES && !isInUse()) renew();
}

function isInUse() {
  for (const keeper of keepers) {
    if (keeper.deref()) return true;
    keepers.delete(keeper);
  }
  return depth > 0;
}

function replace() {
  lastDamage = damage;
  damage = undefined;
  renew();
  for (const reject of [...waiting]) reject(internal(lastDamage));
}

function renew() {
  generation += 1;
  keptBytes = 0;
  reset();
}

/** A trap, or too deep a recursion, which each engine has its own error for. */
function isDamage(thrown) {
  return thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError || thrown?.name === "InternalError";
}

/** The trap itself says only that it was one. */
function withPanic(trap) {
  try {
    const panic = takePanic();
    return panic === undefined ? trap : new Error(panic, { cause: trap });
  } catch {
    return trap; // too damaged to say more
  }
}

const internal = (cause) => ({ code: "INTERNAL", message: "Internal error", retryable: true, cause });
