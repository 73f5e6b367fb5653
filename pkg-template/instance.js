// The module's instance, of which a page or isolate has one, and what becomes of it when it is damaged: after a trap or a
// stack overflow its memory may hold anything, so that another instance takes its place.
import { Refusal, damaged } from "./error.js";
import { isNested } from "./host.js";
import { Job, __wbg_reset_state as reset, memoryBytes, takePanic } from "./wasm/order_cost.js";

/** An instance that orders have grown beyond this is replaced when nobody uses it: wasm memory never shrinks. */
const MOST_MEMORY_BYTES = 64 * 2 ** 20;

let generation = 0;
/** What the memory has grown by for what every instance has to have. */
let lastingBytes = 0;
/** What damaged the instance before this one. */
let lastDamage;
/** A job of this instance that is over. One is enough where orders come in turn, and what it held of its order stays. */
let idle;
/** Whether a calculation may be ended from inside another one. */
let mayEndOthers = true;
/**
 * Whoever has something in the module's memory: baskets, and jobs that wait for answers. Weakly: a runtime may tear a
 * request down where it stands, and a host may never answer.
 */
const holders = new Set();
/** How many there may be before those that are gone are looked for. */
let mostHolders = 1_000;

/** Which instance it is: what was made in an older one is gone. */
export const instanceId = () => generation;

/** Runs an entry of the module and nothing else; where that damages the instance, another one takes its place. */
export function enter(run) {
  try {
    return run();
  } catch (thrown) {
    throw afterEntry(thrown);
  }
}

/** What an entry threw, as an Error. The module throws facts. */
function afterEntry(thrown) {
  if (!isDamage(thrown)) return typeof thrown?.code === "string" ? new Refusal(thrown) : thrown;
  lastDamage = withPanic(thrown);
  renew();
  // In workerd each notices by itself.
  if (mayEndOthers) for (const holder of [...holders]) holder.deref()?.onDamage?.(damaged(lastDamage));
  return damaged(lastDamage);
}

/** A job in the module. Where another instance has taken its place, somebody else has its memory. */
export class HeldJob {
  /** Called with the error where the instance is replaced while the job waits. */
  onDamage;
  #job = enter(() => new Job());
  #instance = generation;

  /** Runs an entry of the job. */
  enter(entry, a, b, c) {
    if (this.#instance !== generation) throw damaged(lastDamage);
    try {
      return this.#job[entry](a, b, c);
    } catch (thrown) {
      throw afterEntry(thrown);
    }
  }

  /** Has `start` give the job an order. */
  start(start) {
    if (this.#instance !== generation) throw damaged(lastDamage);
    enter(() => start(this.#job));
  }

  /** It ended well: another calculation may have it. */
  giveBack() {
    if (this.#instance !== generation) return;
    if (idle) this.free();
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

/** Frees what was made in that instance. */
export function release(object, instance) {
  if (instance === generation) enter(() => object.free());
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
export function hold(owner) {
  const holder = new WeakRef(owner);
  holders.add(holder);
  if (holders.size > mostHolders) {
    for (const other of holders) if (!other.deref()) holders.delete(other);
    mostHolders = Math.max(1_000, 2 * holders.size);
  }
  return () => holders.delete(holder);
}

/** Runs what takes in something of any size that another instance would have to take in again: delivery zones. */
export function withLastingMemory(run) {
  const before = memoryBytes();
  run();
  lastingBytes += memoryBytes() - before;
}

/** Replaces an instance that has grown large, if nobody would notice. */
export function tidy() {
  if (memoryBytes() - lastingBytes > MOST_MEMORY_BYTES && !isInUse()) renew();
}

function isInUse() {
  for (const holder of holders) {
    if (holder.deref()) return true;
    holders.delete(holder);
  }
  return isNested();
}

function renew() {
  generation += 1;
  lastingBytes = 0;
  idle = undefined;
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
