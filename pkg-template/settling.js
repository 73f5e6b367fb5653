// Settles a basket: decides when its conversation asks, waits, tries again and rests.
//
//              settle(), or the pause after an edit is over
//   resting ────────────────────────────────────────────────▶ running ──▶ resting: all is known, or failed for good
//                                                              ▲    │
//                          the pause after a failure is over   │    ▼ something failed that may pass
//                                                              waiting
//
// The pause after an edit runs beside all phases: while a customer edits, nothing new is asked, except by another try.
import { whenAborted } from "./abort.js";
import { throwIfNestedDeep } from "./calculation.js";
import { Context, throwUnlessSignal } from "./context.js";
import { Conversation } from "./conversation.js";
import { PricingError, Refusal, aborted, pricingError } from "./error.js";
import { report } from "./listeners.js";
import { refuseUnknown } from "./options.js";
import { requestId } from "./wasm/order_cost.js";

/** The pauses after failures that may pass. */
const RETRY_MS = [1_000, 2_000, 4_000];

/** Users need far fewer rounds. Without a limit, a host that edits the basket in each callback would loop for ever. */
const MOST_ROUNDS = 100;

const RESTING = Object.freeze({ name: "resting" });
const OVER = Object.freeze({ name: "over" });

/**
 * Somebody wants every answer: a settle(), or the basket that settles by itself.
 *
 * @typedef {object} Running
 * @property {"running"} name
 * @property {boolean} isRetry whether it asks again after a failure: edits do not delay it
 * @property {boolean} isDue whether a round follows in this turn
 * @property {number} rounds how often it has asked since the last edit
 */

export class Settling {
  #model;
  #conversation;
  #context;
  /** The pause after an edit in ms; undefined: the basket does not settle by itself. */
  #debounceMs;
  #onChange;
  #waiters = new Set();
  /** @type {typeof RESTING | typeof OVER | Running | { name: "waiting", timer: unknown }} */
  #phase = RESTING;
  /** The timer of the pause after an edit. */
  #editing;
  /** How often it has tried again. */
  #retries = 0;
  /** Whether the host is being asked: its functions may edit the basket. */
  #isAsking = false;

  /** `onChange` is called after answers, with a function to call when it has made the next snapshot. */
  constructor(model, sources, { context, debounceMs, onChange }) {
    this.#model = model;
    this.#context = context;
    this.#debounceMs = debounceMs;
    this.#onChange = onChange;
    const keep = (call, failure) => model.keepFailure(call, failure);
    const owner = { answered: (pass) => this.#round(pass), keep, isAwaited: () => this.#waiters.size > 0 };
    this.#conversation = new Conversation(model, sources, owner);
    model.onLost = () => {
      this.#conversation.end(new Error("The instance of the module was replaced"));
      // Those who wait still do, whatever has noticed it.
      this.#roundSoon();
    };
  }

  /** Whether a call of the host is out. */
  get isOut() {
    // An edit from inside a call may have ended all that were out.
    return this.#conversation.isOut || this.#isAsking;
  }

  get #isRunning() {
    return this.#phase.name === "running";
  }

  /** Asks for all that the basket does not know. Resolves to the priced order as JSON text. */
  settle(call) {
    return new Promise((resolve, reject) => {
      refuseUnknown(call, ["signal"]);
      const { signal } = call;
      throwUnlessSignal(signal);
      throwIfNestedDeep();
      if (signal?.aborted) throw aborted(signal.reason);
      const waiter = { resolve, reject, end: () => {} };
      if (signal) waiter.end = whenAborted(signal, () => this.#endWait(waiter, () => reject(aborted(signal.reason))));
      this.#waiters.add(waiter);
      this.#conversation.keepAlive();
      this.#run();
    }).catch((thrown) => {
      throw pricingError(thrown, requestId());
    });
  }

  /** Drops the calls that an edit has made useless. */
  dropUseless() {
    if (!this.#conversation.isOut) return;
    const reason = new DOMException("The basket no longer needs this answer", "AbortError");
    this.#conversation.end(reason, this.#model.enter("useless"));
  }

  /** Follows an edit, whose snapshot is made. */
  edited() {
    // Customers may edit as often as they like.
    if (this.#isRunning && !this.#isAsking) this.#phase.rounds = 0;
    if (this.#debounceMs !== undefined) this.#settleSoon();
    // Waiting callers get the newest basket. Edits of one turn are asked for together.
    this.#roundSoon();
  }

  /** Follows new delivery zones that an order or a basket has asked for: no pause follows an answer. */
  zonesArrived() {
    if (this.#isRunning) return this.#round();
    this.#onChange(() => this.edited());
  }

  /** Ends all calls, timers and waits. */
  free(reason) {
    this.#endTimers();
    this.#phase = OVER;
    this.#conversation.end(reason);
    this.#endWaits(({ reject }) => reject(aborted(reason)));
  }

  #settleSoon() {
    clearTimeout(this.#editing);
    this.#editing = undefined;
    const { pending, problems } = this.#model.snapshot;
    const isOpen = pending.length > 0 || problems.some(isOfLookup);
    if (!isOpen || this.#isAsking) return;
    this.#editing = after(this.#debounceMs, () => {
      this.#editing = undefined;
      if (this.#phase.name !== "waiting") this.#run(); // nothing settles by itself before that
    });
  }

  #roundSoon() {
    const phase = this.#phase;
    if (!this.#isRunning || phase.isDue) return;
    phase.isDue = true;
    queueMicrotask(() => {
      phase.isDue = false;
      // Not while another try is out, which edits do not delay: its answer begins a round.
      if (this.#isRunning && this.#editing === undefined) this.#round();
    });
  }

  /** Begins to ask for everything open, at once. */
  #run() {
    this.#retries = 0;
    this.#endTimers();
    this.#begin(false);
  }

  /** Begins to ask. What has failed is asked again; after a pause only what may succeed then. */
  #begin(isRetry) {
    if (this.#isRunning) this.#phase.isRetry = isRetry;
    else this.#phase = { name: "running", isRetry, isDue: false, rounds: 0 };
    this.#round(() => this.#model.enter("askAgain", isRetry));
  }

  /** Begins as told, asks until nothing is left to ask, and comes to rest if no answer is awaited. */
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
    if (!this.#isRunning || this.#conversation.isOut) return;
    const willRetry = this.#hasRetries && this.#model.snapshot.problems.some(({ retryable }) => retryable);
    // The pause after a failure replaces a pause after an edit.
    if (willRetry) this.#endTimers();
    if (!this.#mayAsk()) return;
    this.#phase = RESTING;
    if (this.#waiters.size > 0) this.#endWaits(this.#outcome());
    if (willRetry) this.#retryLater();
  }

  #mayAsk() {
    return this.#isRunning && (this.#editing === undefined || this.#phase.isRetry);
  }

  #askAll() {
    this.#isAsking = true;
    try {
      while (this.#mayAsk()) {
        // No coupon call starts while a customer is editing.
        const batch = this.#conversation.questions(this.#editing === undefined);
        if (batch.length === 0) return;
        this.#phase.rounds += 1;
        if (this.#phase.rounds > MOST_ROUNDS) throw tooManyRounds();
        this.#conversation.ask(batch, this.#contexts());
        this.dropUseless();
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** Each call has a signal of its own; calls that begin together have one request id. */
  #contexts() {
    let id;
    const call = {
      context: this.#context,
      get requestId() {
        return (id ??= requestId());
      },
    };
    return () => new Context(call);
  }

  /** Whoever calls it begins another phase. */
  #endTimers() {
    clearTimeout(this.#editing);
    clearTimeout(this.#phase.timer);
    this.#editing = undefined;
  }

  #endWaits(settle) {
    for (const waiter of [...this.#waiters]) this.#endWait(waiter, settle);
  }

  #endWait(waiter, settle) {
    this.#waiters.delete(waiter);
    waiter.end();
    settle(waiter);
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
    const timer = after(RETRY_MS[this.#retries], () => this.#begin(true));
    this.#retries += 1;
    this.#phase = { name: "waiting", timer };
  }

  /** The module failed, or the host never ends. */
  #fail(thrown) {
    if (this.#phase === OVER) return;
    const error = pricingError(thrown, requestId());
    this.#phase = RESTING;
    this.#conversation.end(error);
    this.#model.forgetCalls();
    this.#endWaits(({ reject }) => reject(error));
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
