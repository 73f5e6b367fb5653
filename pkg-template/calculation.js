// One calculation: the module hands out its questions, the host answers them, and this file waits for the answers.
import { answerOf, withoutNul } from "./answer.js";
import { Context } from "./context.js";
import { Refusal, pricingError } from "./error.js";
import { ask, couponWave, firstWave, inHost, isFinal, isNestedDeep, messageOf, MOST_NESTED } from "./host.js";
import { enter, hold, takeJob, tidy } from "./instance.js";
import { observing } from "./internal.js";
import { Next, requestId } from "./wasm/order_cost.js";

const decoder = new TextDecoder();

/** The response as JSON text. The copy is made outside the entry: there a RangeError does not count as damage. */
const bytes = (job) => new Uint8Array(lentResponse(job));

/** The response in the module's memory. It is valid until the next entry. */
export const lentResponse = (job) => job.enter("response");

/**
 * Prices the order that `start` gives to a job of the module. Returns what `take` reads from the finished job.
 *
 * @template T
 * @param {(job: import("./instance.js").HeldJob) => void} start
 * @param {{ host: object, zones?: import("./zones.js").ZonesQuestion }} sources
 * @param {number} deadlineMs
 * @param {import("order-cost").CallOptions} call
 * @param {{ written?: object, take?: (job: import("./instance.js").HeldJob) => T }} [options]
 *   `written` is the result of `jsonText` for the order
 * @returns {Promise<T>}
 */
export async function calculate(start, { host, zones }, deadlineMs, call, { written, take = bytes } = {}) {
  const context = new Context(call);
  let job;
  let wave = [];
  let letGo;
  const causes = [];
  try {
    context.begin();
    const watch = call[observing];
    throwIfNestedDeep();
    job = takeJob();
    start(job);
    watch?.count(job.enter("counts"));
    const forHost = context.forHost();
    const asked = { job, causes, context, deadlineMs, host, zones, watch };
    wave = firstWaveOf(job);
    while (wave) {
      context.throwIfAborted();
      const promised = inHost(() => answersAtHand(asked, wave, forHost));
      // D41: an abort takes effect at once, even from inside a callback.
      context.throwIfAborted();
      let next = job.enter("advance");
      // A host that answers synchronously costs no turn of the event loop.
      if (next === Next.Wait) {
        // From here on the runtime may abandon the calculation, and `finally` never runs.
        letGo ??= hold(job);
        next = await laterAnswers(asked, promised);
      }
      wave = next === Next.Ask ? couponWaveOf(job) : undefined;
    }
    const taken = take(job);
    job.giveBack();
    job = undefined;
    return taken;
  } catch (thrown) {
    const error = pricingError(withCause(thrown, written, causes), context.requestId);
    context.abort(error);
    throw error;
  } finally {
    context.end();
    // However it ends, nobody waits for the zones any more.
    for (const { leave } of wave ?? []) leave?.();
    job?.free();
    letGo?.();
    tidy();
  }
}

/** A host may start calculations from inside its callbacks, but only to a limited depth. */
export function throwIfNestedDeep() {
  if (!isNestedDeep()) return;
  const message = `A host function nested calculations more than ${MOST_NESTED} deep`;
  throw new Refusal({ code: "INTERNAL", message, retryable: false });
}

/** Reads lent memory before the next entry, which may change it. */
function firstWaveOf(job) {
  const questions = decoder.decode(job.enter("questions"));
  return firstWave(questions, job.enter("cprcodes"));
}

function couponWaveOf(job) {
  const head = decoder.decode(job.enter("couponHead"));
  return couponWave(head, new Uint8Array(job.enter("couponRows")));
}

/** Asks the host a wave of questions and passes on its immediate answers. Returns the calls that answer later. */
function answersAtHand(asked, wave, forHost) {
  for (const { slot } of wave) asked.watch?.ask(slot);
  ask(asked.host, wave, forHost, asked.zones);
  const promised = [];
  for (const call of wave) {
    if (call.promise) promised.push(call);
    else give(asked, call);
  }
  return promised;
}

/** Waits until the job has had enough answers, the deadline has passed or the caller aborts. */
function laterAnswers({ job, causes, context, deadlineMs, watch }, promised) {
  return new Promise((resolve, reject) => {
    const open = new Set(promised.map(({ slot }) => slot));
    let timer;
    const finish = (settle, result) => {
      open.clear();
      clearTimeout(timer);
      job.onDamage = undefined;
      context.onAbort = () => {};
      settle(result);
    };
    const go = (act) => {
      try {
        act();
        const next = job.enter("advance");
        if (next !== Next.Wait) finish(resolve, next);
      } catch (thrown) {
        finish(reject, thrown);
      }
    };
    // Ignores an answer that comes after the wait has ended: its slot is no longer open.
    const once = (slot, act) => open.delete(slot) && go(act);
    for (const { slot, keys, answer, promise } of promised) {
      promise.then(
        (value) => once(slot, () => inHost(() => give({ job, causes, watch }, { slot, keys, answer, value }))),
        (cause) => once(slot, () => inHost(() => give({ job, causes, watch }, { slot, keys, thrown: { cause } }))),
      );
    }
    const late = () =>
      go(() => {
        for (const { slot, giveUp } of promised) {
          if (!open.has(slot)) continue;
          giveUp?.();
          job.enter("late", slot, deadlineMs);
        }
      });
    if (deadlineMs > 0) timer = setTimeout(late, deadlineMs);
    context.onAbort = (error) => finish(reject, error);
    job.onDamage = (error) => finish(reject, error);
  });
}

/** Passes the outcome of a call to the job. A thrown value stays in `causes`, by slot. */
export function give({ job, causes, watch }, { slot, keys, value, thrown, isMissing, answer: takeFrom }) {
  watch?.answer(slot);
  if (isMissing) return job.enter("missing", slot);
  if (thrown) return fail(job, causes, slot, thrown.cause);
  if (takeFrom) return takeFrom(job, slot);
  let answer;
  try {
    answer = answerOf(value, keys);
  } catch (cause) {
    // The answer threw while it was read: that is a failure of the look-up.
    return fail(job, causes, slot, cause);
  }
  if (job.enter("answer", slot, answer.bytes, answer.unwritable)) return;
  job.enter("answer", slot, withoutNul(answer.texts), answer.unwritable);
}

function fail(job, causes, slot, cause) {
  causes[slot] = cause;
  job.enter("fail", slot, messageOf(cause), isFinal(cause));
}

/** Runs an entry outside of any calculation. Throws only PricingErrors. For `written` see {@link calculate}. */
export function withPricingErrors(written, run) {
  try {
    return enter(run);
  } catch (thrown) {
    throw pricingError(withCause(thrown, written, []), requestId());
  }
}

/** Adds its cause to a refusal: what a look-up threw, or why an object could not be written as JSON. */
function withCause(thrown, written, causes) {
  if (!(thrown instanceof Refusal)) return thrown;
  const { facts } = thrown;
  if (typeof facts.slot === "number") return new Refusal({ ...facts, cause: causes[facts.slot] });
  return written && "thrown" in written ? new Refusal({ ...facts, cause: written.thrown }) : thrown;
}
