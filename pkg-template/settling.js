// Settles a basket: makes its calls of the host, brings their answers to the module, and decides when to ask again.
import { whenAborted } from "./abort.js";
import { give, throwIfNestedDeep } from "./calculation.js";
import { Context, throwUnlessSignal } from "./context.js";
import { PricingError, Refusal, aborted, pricingError } from "./error.js";
import { follow, inHost, invoke } from "./host.js";
import { report } from "./listeners.js";
import { refuseUnknown } from "./options.js";
import { requestId } from "./wasm/order_cost.js";

/** The pauses after failures that may pass. */
const RETRY_MS = [1_000, 2_000, 4_000];

/** Users need far fewer rounds. Without a limit, a host that edits the basket in each callback would loop for ever. */
const MOST_ROUNDS = 100;

export class Settling {
  #model;
  #host;
  #zones;
  #deadlineMs;
  #context;
  /** The pause after an edit in ms; undefined: the basket does not settle by itself. */
  #debounceMs;
  #onChange;
  /** The calls that are out, by their numbers. */
  #out = new Map();
  #waiters = new Set();
  /** Whether somebody wants every answer: a settle(), or the basket that settles by itself. */
  #isRunning = false;
  #isAsking = false;
  #isDue = false;
  #rounds = 0;
  #debounce;
  #retry;
  #retries = 0;
  /** Whether the basket asks after a pause: edits do not delay it. */
  #isRetry = false;
  #isOver = false;

  /**
   * @param {import("./basket-model.js").BasketModel} model
   * @param {{ host: object, zones?: import("./zones.js").ZonesQuestion, deadlineMs: number, context: unknown, debounceMs?: number, onChange: (then: () => void) => void }} options
   *   `onChange` is called after answers, with a function to call when it has made the next snapshot
   */
  constructor(model, { host, zones, deadlineMs, context, debounceMs, onChange }) {
    this.#model = model;
    this.#host = host;
    this.#zones = zones;
    this.#deadlineMs = deadlineMs;
    this.#context = context;
    this.#debounceMs = debounceMs;
    this.#onChange = onChange;
    model.onLost = () => {
      this.#endCalls(new Error("The instance of the module was replaced"));
      // Those who wait still do, whatever has noticed it.
      if (this.#isRunning) this.#roundSoon();
    };
  }

  /** Whether a call of the host is out. */
  get isOut() {
    return this.#out.size > 0 || this.#isAsking;
  }

  /** Asks for all that the basket does not know. Resolves to the priced order as JSON text. */
  settle(call = {}) {
    return new Promise((resolve, reject) => {
      refuseUnknown(call, ["signal"]);
      const { signal } = call;
      throwUnlessSignal(signal);
      throwIfNestedDeep();
      if (signal?.aborted) throw aborted(signal.reason);
      const waiter = { resolve, reject, end: () => {} };
      if (signal) waiter.end = whenAborted(signal, () => this.#endWait(waiter, () => reject(aborted(signal.reason))));
      this.#waiters.add(waiter);
      for (const { timer } of this.#out.values()) timer?.ref?.();
      this.#retries = 0;
      this.#run();
    }).catch((thrown) => {
      throw pricingError(thrown, requestId());
    });
  }

  /** Drops the calls that an edit has made useless. */
  dropUseless() {
    if (this.#out.size === 0) return;
    for (const number of this.#model.enter("useless")) {
      this.#end(number, new DOMException("The basket no longer needs this answer", "AbortError"));
    }
  }

  /** Follows an edit, whose snapshot is made. */
  edited() {
    // Customers may edit as often as they like.
    if (!this.#isAsking) this.#rounds = 0;
    if (this.#debounceMs !== undefined) this.#settleSoon();
    // Waiting callers get the newest basket. Edits of one turn are asked for together.
    if (this.#isRunning) this.#roundSoon();
  }

  /** Follows new delivery zones that an order or a basket has asked for: no pause follows an answer. */
  zonesArrived() {
    if (this.#isRunning) return this.#round();
    this.#onChange(() => this.edited());
  }

  /** Ends all calls, timers and waits. */
  free(reason) {
    this.#isOver = true;
    this.#isRunning = false;
    this.#endTimers();
    this.#endCalls(reason);
    for (const waiter of [...this.#waiters]) this.#endWait(waiter, () => waiter.reject(aborted(reason)));
  }

  #settleSoon() {
    clearTimeout(this.#debounce);
    this.#debounce = undefined;
    const { pending, problems } = this.#model.snapshot;
    const isOpen = pending.length > 0 || problems.some(isOfLookup);
    if (!isOpen || this.#isAsking) return;
    this.#debounce = after(this.#debounceMs, () => {
      this.#debounce = undefined;
      if (this.#retry !== undefined) return; // nothing settles by itself before that
      this.#retries = 0;
      this.#run();
    });
  }

  #roundSoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.#isRunning && this.#debounce === undefined) this.#round();
    });
  }

  /** Begins to ask for everything open, at once. */
  #run() {
    this.#endTimers();
    this.#begin(false);
  }

  /** Begins to ask. What has failed is asked again; after a pause only what may succeed then. */
  #begin(isRetry) {
    this.#isRunning = true;
    this.#isRetry = isRetry;
    this.#round(() => this.#model.enter("renew", isRetry));
  }

  /** Asks until nothing is left to ask, and comes to rest if no answer is awaited. */
  #round(begin = () => {}) {
    try {
      begin();
      // A callback of the host that is asked now has edited the basket: the round that runs will see it.
      if (this.#isAsking) return;
      this.dropUseless();
      this.#askAll();
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.#show(() => this.#restIfDone());
  }

  /** Shows what a round has brought. */
  #show(then) {
    try {
      this.#onChange(then);
    } catch (thrown) {
      // The listeners never end, or nobody waits for the module, which has failed.
      if (!(thrown instanceof PricingError && this.#isRunning)) return report(thrown);
      this.#fail(thrown);
      this.#show(() => {});
    }
  }

  #restIfDone() {
    if (!this.#isRunning || this.#out.size > 0) return;
    // The pause after a failure replaces a pause after an edit.
    if (this.#willRetry()) this.#endTimers();
    if (this.#mayAsk()) this.#rest();
  }

  #mayAsk() {
    return this.#isRunning && (this.#debounce === undefined || this.#isRetry);
  }

  #askAll() {
    this.#isAsking = true;
    try {
      while (this.#mayAsk()) {
        // No coupon call starts while a customer is editing.
        const wave = this.#model.read("ask", this.#debounce === undefined);
        if (wave.length === 0) return;
        this.#rounds += 1;
        if (this.#rounds > MOST_ROUNDS) throw tooManyRounds();
        this.#ask(wave);
        this.dropUseless();
      }
    } finally {
      this.#isAsking = false;
    }
  }

  #ask(wave) {
    let id;
    const context = this.#context;
    const call = {
      context,
      get requestId() {
        return (id ??= requestId());
      },
    };
    for (const question of wave) this.#out.set(question.call, { question, context: new Context(call) });
    inHost(() => {
      for (const question of wave) {
        const out = this.#out.get(question.call);
        // A function that was called before this one may have freed or edited the basket.
        if (out) invoke(this.#host, question, out.context.forHost(), this.#zones);
      }
      follow(wave);
      for (const question of wave) this.#await(question);
    });
  }

  #await(question) {
    const out = this.#out.get(question.call);
    if (!out) return question.leave?.();
    if (!question.promise) return this.#take(question);
    const { call, slot, keys, answer, promise } = question;
    promise.then(
      (value) => this.#answered(call, out, () => this.#take({ call, slot, keys, answer, value })),
      (cause) => this.#answered(call, out, () => this.#take({ call, slot, keys, thrown: { cause } })),
    );
    if (this.#deadlineMs > 0) {
      out.timer = setTimeout(() => this.#answered(call, out, () => this.#late(call)), this.#deadlineMs);
      // Keeps a process alive only for somebody who waits.
      if (this.#waiters.size === 0) out.timer.unref?.();
    }
  }

  #answered(call, out, take) {
    if (this.#out.get(call) !== out) return; // it was dropped
    try {
      inHost(take);
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.#round();
  }

  #take(question) {
    const { call } = question;
    const { context } = this.#out.get(call);
    const causes = {};
    give({ job: this.#model, causes }, { ...question, slot: call });
    if (call in causes) this.#model.keepFailure(call, { cause: causes[call], requestId: context.requestId });
    this.#end(call);
  }

  #late(call) {
    const { context, question } = this.#out.get(call);
    question.giveUp?.();
    this.#model.keepFailure(call, { requestId: context.requestId });
    this.#model.enter("late", call, this.#deadlineMs);
    this.#end(call, new DOMException(`No answer within ${this.#deadlineMs} ms`, "TimeoutError"));
  }

  /** Ends a call; with a reason, its signal aborts. */
  #end(number, reason) {
    const out = this.#out.get(number);
    if (!out) return;
    this.#out.delete(number);
    clearTimeout(out.timer);
    out.question.leave?.();
    if (reason) out.context.abort(reason);
  }

  #endCalls(reason) {
    for (const number of [...this.#out.keys()]) this.#end(number, reason);
  }

  #endTimers() {
    clearTimeout(this.#debounce);
    clearTimeout(this.#retry);
    this.#debounce = undefined;
    this.#retry = undefined;
  }

  #endWait(waiter, settle) {
    this.#waiters.delete(waiter);
    waiter.end();
    settle();
  }

  /** Nothing is left to ask or to wait for. */
  #rest() {
    this.#isRunning = false;
    this.#rounds = 0;
    const settle = this.#waiters.size > 0 && this.#outcome();
    for (const waiter of [...this.#waiters]) this.#endWait(waiter, () => settle(waiter));
    if (this.#willRetry()) this.#retryLater();
  }

  #willRetry() {
    return this.#hasRetries && this.#model.snapshot.problems.some(({ retryable }) => retryable);
  }

  get #hasRetries() {
    return this.#debounceMs !== undefined && this.#retries < RETRY_MS.length;
  }

  /** A function that ends a wait: all get the same. */
  #outcome() {
    const { error } = this.#model.snapshot;
    if (error) return ({ reject }) => reject(error);
    try {
      const text = this.#model.response();
      return ({ resolve }) => resolve(text);
    } catch (thrown) {
      return ({ reject }) => reject(thrown);
    }
  }

  #retryLater() {
    const pause = RETRY_MS[this.#retries];
    this.#retries += 1;
    this.#retry = after(pause, () => {
      this.#retry = undefined;
      this.#begin(true);
    });
  }

  /** The module failed, or the host never ends. */
  #fail(thrown) {
    if (this.#isOver) return;
    const error = pricingError(thrown, requestId());
    this.#isRunning = false;
    this.#rounds = 0;
    this.#endCalls(error);
    this.#model.forgetCalls();
    for (const waiter of [...this.#waiters]) this.#endWait(waiter, () => waiter.reject(error));
    if (this.#hasRetries) this.#retryLater();
  }
}

function tooManyRounds() {
  const message = `The basket changed in each of ${MOST_ROUNDS} rounds of look-ups`;
  return new Refusal({ code: "INTERNAL", message, retryable: true });
}

/** Whether it says that a look-up failed: every such code ends so. */
const isOfLookup = ({ code }) => code.endsWith("_FAILED");

/** A timer that keeps no process alive. */
function after(ms, run) {
  const timer = setTimeout(run, ms);
  timer.unref?.();
  return timer;
}
