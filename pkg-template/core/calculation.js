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
import { lateSignal, observing } from "./symbols.js";

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
 * Prices the order that `start` gives to a job of the module. Returns what `take` reads from the finished job, or a promise of it
 * if the host has to be asked.
 *
 * @template T
 * @param {(job: import("./instance.js").HeldJob) => void} start
 * @param {{ host: object, zones?: import("../pricer/zones.js").ZonesQuestion, deadlineMs: number }} sources
 * @param {import("order-cost").CallOptions} call
 * @param {{ written?: object, take: (job: import("./instance.js").HeldJob) => T, recall?: (job: object) => void, tell?: (job: object) => void }} options
 *   `written` is the result of `jsonText` for the order; `recall` gives the job what a fact store knows, and `tell` takes
 *   what the job has learned
 * @returns {T | Promise<T>}
 */
export function calculateSoon(start, sources, call, options) {
  const calculation = new Calculation(sources, call, options);
  return calculation.begin(start, true) ? calculation.taken : calculation.goOn();
}

/**
 * The same of what is known: asks nobody, and throws what would have to be asked. It tells nobody either: a page may render with it.
 *
 * @template T
 * @param {Parameters<typeof calculateSoon>[0]} start
 * @param {Parameters<typeof calculateSoon>[1]} sources
 * @param {Parameters<typeof calculateSoon>[2]} call
 * @param {Parameters<typeof calculateSoon<T>>[3]} options
 * @returns {T}
 */
export function calculateNow(start, sources, call, { tell: _, ...options }) {
  const calculation = new Calculation(sources, call, options);
  calculation.begin(start, false);
  return calculation.taken;
}

class Calculation {
  /** What `take` has read from the finished job. */
  taken;
  #sources;
  #call;
  #options;
  #context;
  #job;
  /** Whether the job has learned what a store may not know. */
  #hasNews = false;
  #isDone = false;

  constructor(sources, call, options) {
    this.#sources = sources;
    this.#call = call;
    this.#options = options;
    this.#context = new Context(call);
  }

  /** Prices the order if all is known. Returns whether it is; throws if it is not and nobody `mayAsk`. */
  begin(start, mayAsk) {
    let goesOn = false;
    try {
      this.#context.begin();
      throwIfNestedDeep();
      this.#job = takeJob();
      const isInformed = this.#learn(start);
      if ((isInformed || !mayAsk) && this.#job.enter("advance") === Next.Done) this.#take();
      else if (!mayAsk) throw notKnown(this.#job);
      else goesOn = true;
      return this.#isDone;
    } catch (thrown) {
      throw this.#errorOf(thrown);
    } finally {
      if (!goesOn) this.#end();
    }
  }

  /** Asks the host for the rest. */
  async goOn() {
    const context = this.#context;
    const job = this.#job;
    const caller = new Caller(context, job, this.#call[observing], this.#options.tell !== undefined);
    const conversation = new Conversation(job, this.#sources, caller);
    let letGo;
    this.#hasNews = true;
    try {
      if (this.#call[lateSignal]) context.takeSignal();
      let next = Next.Ask;
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
      this.#take();
      return this.taken;
    } catch (thrown) {
      const error = this.#errorOf(thrown, caller.causes);
      context.abort(error);
      throw error;
    } finally {
      // However it ends, nobody waits for an answer any more.
      conversation.end();
      letGo?.();
      this.#end();
    }
  }

  /** Gives the job its order, and what is known. Returns whether something is. */
  #learn(start) {
    const job = this.#job;
    const watch = this.#call[observing];
    start(job);
    this.#options.recall?.(job);
    this.#hasNews = stockJob(job, this.#sources.host, this.#call.context, watch) > 0;
    watch?.count(job.enter("counts"));
    return this.#hasNews || this.#options.recall !== undefined;
  }

  #take() {
    this.taken = this.#options.take(this.#job);
    this.#isDone = true;
  }

  #end() {
    const job = this.#job;
    this.#context.end();
    if (this.#hasNews && job.isWhole) this.#options.tell?.(job);
    if (this.#isDone) job.giveBack();
    else job?.free();
    tidy();
  }

  #errorOf(thrown, causes) {
    return pricingError(withCause(thrown, this.#options.written, causes), this.#context.requestId);
  }
}

/** The owner of a calculation's conversation, and the context of its calls: they have that of the calculation. */
class Caller {
  watch;
  /**
   * What the calls have thrown, by their numbers.
   * @type {Map<number, unknown> | undefined}
   */
  causes;
  #context;
  #job;
  #forHost;
  /** Whether a store is told when each answer came. */
  #isTold;
  #isWaiting = false;
  #resolve;
  #reject;

  /**
   * @param {Context} context
   * @param {import("./instance.js").HeldJob} job
   * @param {import("../http/observation.js").Observation | undefined} watch
   * @param {boolean} isTold
   */
  constructor(context, job, watch, isTold) {
    this.#context = context;
    this.#job = job;
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
      this.#job.onDamage = (error) => this.#finish(reject, error);
    });
  }

  /** Calls have ended; `pass` tells the job, unless the wait is over. */
  answered(pass) {
    if (!this.#isWaiting) return;
    try {
      if (this.#isTold) this.#job.enter("tick", Date.now());
      pass();
      const next = this.#job.enter("advance");
      if (next !== Next.Wait) this.#finish(this.#resolve, next);
    } catch (thrown) {
      this.#finish(this.#reject, thrown);
    }
  }

  #finish(settle, result) {
    this.#isWaiting = false;
    this.#job.onDamage = undefined;
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
