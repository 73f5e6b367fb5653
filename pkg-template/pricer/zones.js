// The delivery zones of a pricer whose options have a function for them. The first order that needs a zone asks for them.
import { answerText, asPromise, inHost } from "../core/index.js";
import { msSince } from "../shared/index.js";

/**
 * Without a deadline, others join a call for this long, and then ask anew. The call's promise may never settle, see
 * {@link ZonesQuestion}; and workerd ends a request that waits without a timer or a call of its own.
 */
const MOST_JOINED_MS = 5_000;

/**
 * Asks once for all orders and baskets of a pricer, until zones are known. A call belongs to no order: if the first
 * caller aborts, the others still get its answer. A runtime such as workerd may end the request that began a call, and
 * then its promise never settles: nobody joins a call that has been out for longer than the deadline.
 */
export class ZonesQuestion {
  #pricer;
  /** The newest call, while it is out. One that is over has `settle`, which ends a wait for it. */
  #out;
  /** Each has a promise of its own: in workerd a promise belongs to one request. */
  #waiters = new Set();
  #isOver = false;

  /**
   * Of the pricer: `load` is the function of its options; `take` loads an answer, and calls `end` unless the module refuses
   * it; `pricing` returns the `Pricing` of the current module instance, and `deadlineMs` the deadline.
   */
  constructor(pricer) {
    this.#pricer = pricer;
  }

  /** Asks for the zones, or joins the call that is out. Notes the outcome in `question`, see `Question` in host.js. */
  ask(question) {
    question.answer = (learner, call) => learner.enter("answerZones", call, this.#pricer.pricing());
    if (this.#isOver) return;
    const joined = this.#joinable;
    const out = joined ?? this.#begin();
    if (out.thrown) question.thrown = out.thrown;
    else if (!out.settle) question.value = this.#wait(question, out, joined);
  }

  /** Zones are known: nobody has to ask any more. */
  end() {
    this.#isOver = true;
    this.#settle(
      () => true,
      ({ resolve }) => resolve(),
    );
  }

  get #joinable() {
    const out = this.#out;
    return out && msSince(out.since) < (this.#pricer.deadlineMs() || MOST_JOINED_MS) ? out : undefined;
  }

  #begin() {
    const out = { since: Date.now() };
    // Before the call: it may price orders that need zones.
    this.#out = out;
    try {
      const value = Reflect.apply(this.#pricer.load, undefined, []);
      const promise = asPromise(value);
      if (promise)
        promise.then(
          (value) => this.#answered(out, value),
          (cause) => this.#failed(out, cause),
        );
      else this.#answered(out, value);
    } catch (cause) {
      this.#failed(out, cause);
    }
    return out;
  }

  #wait(question, out, joined) {
    return new Promise((resolve, reject) => {
      const waiter = { out, resolve, reject };
      this.#waiters.add(waiter);
      if (joined) this.#limit(waiter);
      question.leave = () => this.#remove(waiter);
      question.giveUp = () => this.#drop(waiter.out);
    });
  }

  #limit(waiter) {
    if (this.#pricer.deadlineMs() === 0) waiter.timer = setTimeout(() => this.#askAgain(waiter), MOST_JOINED_MS);
  }

  #askAgain(waiter) {
    this.#drop(waiter.out);
    const joined = this.#joinable;
    const out = joined ?? inHost(() => this.#begin());
    waiter.out = out;
    if (out.settle) this.#settle((other) => other === waiter, out.settle);
    else if (joined) this.#limit(waiter);
  }

  #remove(waiter) {
    this.#waiters.delete(waiter);
    clearTimeout(waiter.timer);
  }

  /** A call that was given up may still answer: late zones are better than none, but never replace others. */
  #answered(out, value) {
    try {
      const written = inHost(() => answerText(value));
      if (!this.#isOver) this.#pricer.take(written);
      // If the zones are refused (D35), the module tells those who waited why.
      this.#finish(out, ({ resolve }) => resolve());
    } catch (cause) {
      this.#failed(out, cause);
    }
  }

  #failed(out, cause) {
    out.thrown = { cause };
    this.#finish(out, ({ reject }) => reject(cause));
  }

  #finish(out, settle) {
    out.settle = settle;
    this.#drop(out);
    this.#settle((waiter) => waiter.out === out, settle);
  }

  #settle(isMeant, settle) {
    for (const waiter of this.#waiters) {
      if (!isMeant(waiter)) continue;
      this.#remove(waiter);
      settle(waiter);
    }
  }

  #drop(out) {
    if (this.#out === out) this.#out = undefined;
  }
}
