// The module's instance, of which a page or isolate has one, and what becomes of it when it is damaged: after a trap or a
// stack overflow its memory may hold anything, so that another instance takes its place.
import { __wbg_reset_state as reset, memoryBytes, takePanic } from "./wasm/order_cost.js";

/** An instance whose memory has grown beyond this is replaced when nobody uses it: wasm memory never shrinks. */
const MOST_MEMORY_BYTES = 256 * 2 ** 20;

/** A host may price other orders from inside its callbacks, but not without end: the stack is everybody's. */
const MOST_NESTED = 32;

let generation = 0;
/** How many calls into the module are on the stack. */
let depth = 0;
/** What was thrown where the instance was damaged, until another one is there. */
let damage;
/** What rejects each calculation that waits for answers. */
const waiting = new Set();
/** Whoever keeps something in the module's memory. */
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

/** Frees what was made in that instance. In another one, somebody else has its place in the memory. */
export function release(object, instance) {
  if (instance === generation && !damage) enter(() => object.free());
}

/** Has `reject` called with the error where the instance is replaced; gives what ends that. */
export function whileWaiting(reject) {
  waiting.add(reject);
  return () => waiting.delete(reject);
}

/** Says that something is kept in the module's memory; gives what ends that. */
export function keep() {
  const keeper = {};
  keepers.add(keeper);
  return () => keepers.delete(keeper);
}

/** Replaces an instance that has grown large, if nobody would notice. */
export function tidy() {
  const isInUse = depth + waiting.size + keepers.size > 0;
  if (!isInUse && memoryBytes() > MOST_MEMORY_BYTES) renew();
}

function replace() {
  const error = internal(damage);
  damage = undefined;
  renew();
  const rejects = [...waiting];
  waiting.clear();
  for (const reject of rejects) reject(error);
}

function renew() {
  generation += 1;
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
