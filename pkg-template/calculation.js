// One calculation, from its caller's options to its response or its error.
import { Context } from "./context.js";
import { pricingError } from "./error.js";
import { enter, keep, throwIfNestedDeep, tidy } from "./instance.js";
import { drive } from "./job.js";
import { requestId } from "./wasm/order_cost.js";

/** The response as JSON text. Copied outside the call into the module: what fails here damages nothing there. */
const bytes = (job) => lentResponse(job).slice();

/** The same in the module's memory, until that is entered again. */
export const lentResponse = (job) => job.use((job) => job.response());

/**
 * Drives the job that `start` makes; gives what `take` takes of it.
 *
 * @template T
 * @param {() => import("./instance.js").Held} start
 * @param {object} host
 * @param {number} deadlineMs
 * @param {import("order-cost").CallOptions} call
 * @param {{ written?: object, onProgress?: () => void, take?: (job: import("./instance.js").Held) => T }} [options]
 *   `written` is what came of writing the order as JSON; `onProgress` is called when answers have been taken
 * @returns {Promise<T>}
 */
export async function calculate(start, host, deadlineMs, call, { written, onProgress, take = bytes } = {}) {
  let context;
  let job;
  let endKeeping;
  try {
    context = new Context(call);
    context.throwIfAborted();
    throwIfNestedDeep();
    job = start();
    endKeeping = keep(job);
    await drive(job, host, context, deadlineMs, onProgress);
    return take(job);
  } catch (thrown) {
    const error = pricingError(withCause(thrown, written), context?.requestId ?? call.requestId ?? requestId());
    context?.abort(error);
    throw error;
  } finally {
    context?.end();
    job?.free();
    endKeeping?.();
    tidy();
  }
}

/** Runs what is no calculation and throws PricingErrors all the same. */
export function named(written, run) {
  try {
    return enter(run);
  } catch (thrown) {
    throw pricingError(withCause(thrown, written), requestId());
  }
}

/** Where an object could not be written as JSON, why that was is the cause of what came of it. */
function withCause(thrown, written) {
  return written && "thrown" in written ? { ...thrown, cause: written.thrown } : thrown;
}
