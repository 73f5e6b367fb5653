// One calculation: the module hands out its questions, the host answers them, and this file waits for the answers. If all is known,
// nobody has to be asked.
import { Next, requestId } from "../wasm/order_cost.js";
import { Context } from "./context.js";
import { Conversation } from "./conversation.js";
import { pricingError, Refusal } from "./error.js";
import { isNestedDeep, MOST_NESTED, questionsOf } from "./host.js";
import { enter, hold, takeJob, tidy } from "./instance.js";
import { notKnown } from "./not-known.js";
import { stockJob } from "./shelf.js";
import { observing } from "./symbols.js";

/**
 * The response as JSON text. The copy is made outside the entry: there a RangeError does not count as damage.
 * @param {import("./instance.js").HeldJob} job
 */
export const responseBytes = (job) => new Uint8Array(responseView(job));

/**
 * The response in the module's memory. It is valid until the next entry.
 * @param {import("./instance.js").HeldJob} job
 * @returns {Uint8Array}
 */
export const responseView = (job) => job.enter("response");

/**
 * Prices the order that `start` gives to a job of the module. Returns what `take` reads from the finished job.
 *
 * @template T
 * @param {(job: import("./instance.js").HeldJob) => void} start
 * @param {{ host: object, zones?: import("../pricer/zones.js").ZonesQuestion, deadlineMs: number }} sources
 * @param {import("order-cost").CallOptions} call
 * @param {{ written?: object, take: (job: import("./instance.js").HeldJob) => T, recall?: (job: object) => void, tell?: (job: object) => void }} options
 *   `written` is the result of `jsonText` for the order; `recall` gives the job what a fact store knows, and `tell` takes
 *   what the job has learned
 * @returns {Promise<T>}
 */
export async function calculate(start, sources, call, { written, take, recall, tell }) {
  const context = new Context(call);
  const caller = new Caller(context, call[observing], tell !== undefined);
  let job;
  let conversation;
  let letGo;
  let isDone = false;
  try {
    job = begun(context);
    const isStocked = learn(job, start, sources.host, call, recall);
    caller.job = job;
    conversation = new Conversation(job, sources, caller);
    let next = recall || isStocked ? needFirst(job) : Next.Ask;
    while (next === Next.Ask) {
      context.throwIfAborted();
      conversation.ask(questionsOf(job, true), () => caller);
      // D41: an abort takes effect at once, even from inside a callback.
      context.throwIfAborted();
      next = job.enter("advance");
      // A host that answers synchronously costs no turn of the event loop.
      if (next !== Next.Wait) continue;
      // From here on the runtime may abandon the calculation, and `finally` never runs.
      letGo ??= hold(job);
      next = await caller.wait();
    }
    const taken = take(job);
    isDone = true;
    return taken;
  } catch (thrown) {
    const error = pricingError(withCause(thrown, written, caller.causes), context.requestId);
    context.abort(error);
    throw error;
  } finally {
    context.end();
    // However it ends, nobody waits for an answer any more.
    conversation?.end();
    if (conversation && job.isWhole) tell?.(job);
    letGo?.();
    end(job, isDone);
  }
}

/** What a job needs first that has facts: perhaps there is nothing to ask. */
function needFirst(job) {
  const next = job.enter("advance");
  return next === Next.Wait ? Next.Ask : next;
}

/**
 * The same of what is known: asks nobody, and throws what would have to be asked. Returns what `take` reads.
 *
 * @template T
 * @param {Parameters<typeof calculate>[0]} start
 * @param {{ host: object }} sources
 * @param {import("order-cost").CallOptions} call
 * @param {{ written?: object, take: (job: import("./instance.js").HeldJob) => T, recall?: (job: object) => void, tell?: (job: object) => void }} options
 * @returns {T}
 */
export function calculateNow(start, { host }, call, { written, take, recall, tell }) {
  const context = new Context(call);
  let job;
  let isNews = false;
  let isDone = false;
  try {
    job = begun(context);
    isNews = learn(job, start, host, call, recall);
    if (job.enter("advance") !== Next.Done) throw notKnown(job);
    const taken = take(job);
    isDone = true;
    return taken;
  } catch (thrown) {
    throw pricingError(withCause(thrown, written), context.requestId);
  } finally {
    if (isNews && job.isWhole) tell?.(job);
    end(job, isDone);
  }
}

/** Begins a calculation: checks its options, and takes a job. */
function begun(context) {
  context.begin();
  throwIfNestedDeep();
  return takeJob();
}

/** Gives a job its order, and what is known. Returns whether a store may not know some of it. */
function learn(job, start, host, call, recall) {
  const watch = call[observing];
  start(job);
  recall?.(job);
  const count = stockJob(job, host, call.context, watch);
  watch?.count(job.enter("counts"));
  return count > 0;
}

function end(job, isDone) {
  if (isDone) job.giveBack();
  else job?.free();
  tidy();
}

/** The owner of a calculation's conversation, and the context of its calls: they have that of the calculation. */
class Caller {
  job;
  watch;
  /**
   * What the calls have thrown, by their numbers.
   * @type {Map<number, unknown> | undefined}
   */
  causes;
  #context;
  #forHost;
  /** Whether a store is told when each answer came. */
  #isTold;
  #isWaiting = false;
  #resolve;
  #reject;

  /**
   * @param {Context} context
   * @param {import("../http/observation.js").Observation} [watch]
   * @param {boolean} [isTold]
   */
  constructor(context, watch, isTold) {
    this.#context = context;
    this.watch = watch;
    this.#isTold = isTold;
  }

  forHost() {
    return (this.#forHost ??= this.#context.forHost());
  }

  /** The signal of the calculation aborts only with the calculation. */
  abort() {}

  isAwaited() {
    return true;
  }

  /**
   * @param {number} call
   * @param {{ cause?: unknown }} failure
   */
  keep(call, { cause }) {
    this.causes ??= new Map();
    this.causes.set(call, cause);
  }

  /** Waits until the job has had enough answers, or until it ends before. Returns what it needs next. */
  wait() {
    return new Promise((resolve, reject) => {
      this.#isWaiting = true;
      this.#resolve = resolve;
      this.#reject = reject;
      this.#context.onAbort = (error) => this.#finish(reject, error);
      this.job.onDamage = (error) => this.#finish(reject, error);
    });
  }

  /** Calls have ended; `pass` tells the job, unless the wait is over. */
  answered(pass) {
    if (!this.#isWaiting) return;
    try {
      if (this.#isTold) this.job.enter("tick", Date.now());
      pass();
      const next = this.job.enter("advance");
      if (next !== Next.Wait) this.#finish(this.#resolve, next);
    } catch (thrown) {
      this.#finish(this.#reject, thrown);
    }
  }

  #finish(settle, result) {
    this.#isWaiting = false;
    this.job.onDamage = undefined;
    this.#context.onAbort = () => {};
    settle(result);
  }
}

/** A host may start calculations from inside its callbacks, but only to a limited depth. */
export function throwIfNestedDeep() {
  if (!isNestedDeep()) return;
  const message = `A host function nested calculations more than ${MOST_NESTED} deep`;
  throw new Refusal({ code: "INTERNAL", message, retryable: false });
}

/** Runs an entry outside of any calculation. Throws only PricingErrors. For `written` see {@link calculate}. */
export function withPricingErrors(written, run) {
  try {
    return enter(run);
  } catch (thrown) {
    throw pricingError(withCause(thrown, written), requestId());
  }
}

/** Adds its cause to a refusal: what a look-up threw, or why an object could not be written as JSON. */
function withCause(thrown, written, causes) {
  if (!(thrown instanceof Refusal)) return thrown;
  const { facts } = thrown;
  if (causes?.has(facts.call)) return new Refusal({ ...facts, cause: causes.get(facts.call) });
  return written && "thrown" in written ? new Refusal({ ...facts, cause: written.thrown }) : thrown;
}
