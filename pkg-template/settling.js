// Settles a basket: decides when it asks, waits and tries again.
//
// A basket asks while somebody waits in settle(), and while it settles by itself, but never in the pause after an edit. A
// call that failed for a reason that may pass has a pause of its own: its function is asked again when that is over, whatever
// else is going on.
import { whenAborted } from "./abort.js";
import { throwIfNestedDeep } from "./calculation.js";
import { Context, throwUnlessSignal } from "./context.js";
import { PricingError, Refusal, aborted, pricingError, thrownOf } from "./error.js";
import { questionsOf } from "./host.js";
import { report } from "./listeners.js";
import { refuseUnknown } from "./options.js";
import { after } from "./timer.js";
import { requestId } from "./wasm/order_cost.js";

/** Users need far fewer rounds. Without a limit, a host that edits the basket in each callback would loop for ever. */
const MOST_ROUNDS = 100;

/** A pause is longer than asked for by up to this part: the browsers that a failing service has lost come back apart. */
const JITTER = 0.2;

const COUPONS = "validateCoupons";
/** Its failure is about no part of an order. */
const ZONES = "deliveryZones";

/** Names the pause after a failure of the module itself: all questions wait for it. */
const MODULE = "module";

/**
 * The pause before a failed function is asked again.
 *
 * @typedef {{ tries: number, timer?: unknown, retries?: number }} Pause `tries`: how many pauses there were; `retries`:
 *   how often any basket of the store had asked again when this one began
 */

export class Settling {
  #model;
  #facts;
  #context;
  /** How it settles by itself: the pause after an edit and those after failures, in ms. */
  #automatic;
  #onChange;
  #isListenedTo;
  #waiters = new Set();
  /** Whether a settle() wants every answer. */
  #isRunning = false;
  /** Whether a round follows in this turn. */
  #isDue = false;
  /** How often it has asked since the last edit or rest. */
  #rounds = 0;
  /** The timer of the pause after an edit. */
  #editing;
  /** @type {Map<string, Pause>} by the name of the function */
  #pauses = new Map();
  /** Whether the host is being asked: its functions may edit the basket. */
  #isAsking = false;
  #isFreed = false;
  #leave;

  /**
   * `onChange` is called after answers, with a function to call when the model has read them; `isListenedTo` returns
   * whether the basket has subscribers.
   */
  constructor(model, facts, { context, automatic, onChange, isListenedTo }) {
    this.#model = model;
    this.#facts = facts;
    this.#context = context;
    this.#automatic = automatic;
    this.#onChange = onChange;
    this.#isListenedTo = isListenedTo;
    this.#leave = facts.join(this);
  }

  /** Whether something will come by itself: a call is out, or a pause runs that ends in one. */
  get isSettling() {
    const { isOut, pending } = this.#model;
    return isOut || this.#isAsking || (this.#editing !== undefined && pending.length > 0) || this.#hasPause;
  }

  get isAwaited() {
    return this.#waiters.size > 0;
  }

  get isWatched() {
    return this.#isListenedTo();
  }

  /** The calls whose failures are problems of the basket. */
  get failedCalls() {
    return this.#model.failedCalls;
  }

  get #hasPause() {
    return this.#pauses.size > 0 && [...this.#pauses].some(([lookup, { timer }]) => timer !== undefined && !this.#isBlocked(lookup));
  }

  #isBlocked(lookup) {
    return lookup === COUPONS && this.#model.blocked.length > 0;
  }

  get #mayAsk() {
    if (this.#editing !== undefined || this.#isFreed) return false;
    return this.#isRunning || (this.#automatic !== undefined && this.#pauses.get(MODULE)?.timer === undefined);
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
      this.#facts.keepAlive();
      this.#run();
    }).catch((thrown) => {
      throw pricingError(thrown, requestId());
    });
  }

  /** Follows an edit that the model has read. */
  edited() {
    // Customers may edit as often as they like.
    if (!this.#isAsking) this.#rounds = 0;
    if (this.#automatic) this.#settleSoon();
    this.#updatePauses();
    // Waiting callers get the newest basket. Edits of one turn are asked for together.
    if (this.#isRunning) this.followSoon();
  }

  /** Follows what the host has answered. */
  follow() {
    this.#round();
  }

  /** The same, in a turn of its own. */
  followSoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#round();
    });
  }

  /** Follows what has become too old, which the next round asks for again. */
  age() {
    this.#show(() => this.edited());
  }

  /** Follows new delivery zones that an order or a basket has asked for: no pause follows an answer. */
  zonesArrived() {
    if (this.#isRunning || this.#model.isOut) return this.#round();
    this.#show(() => this.edited());
  }

  /** Somebody listens now: tries go on. */
  watched() {
    this.#show(() => this.#updatePauses());
    this.#facts.ageLater();
  }

  /** Ends all timers and waits. */
  free(reason) {
    this.#isFreed = true;
    this.#endTimers();
    this.#leave();
    this.#endWaits(({ reject }) => reject(aborted(reason)));
    this.#facts.ageLater();
  }

  #settleSoon() {
    clearTimeout(this.#editing);
    this.#editing = undefined;
    if (this.#model.pending.length === 0 || this.#isAsking) return;
    this.#editing = after(this.#automatic.debounceMs, () => {
      this.#editing = undefined;
      this.#round();
    });
  }

  /** Begins to ask for everything open, at once. */
  #run() {
    this.#rounds = 0;
    this.#endTimers();
    this.#isRunning = true;
    this.#round(() => {
      this.#facts.tick();
      this.#model.enter("askAgain");
    });
  }

  /** Begins as told, asks until nothing is left to ask, and comes to rest if no answer is awaited. */
  #round(begin = () => {}, isRetry = false) {
    if (this.#isFreed) return;
    try {
      begin();
      // A callback of the host that is asked now has edited the basket: the round that runs will see it.
      if (this.#isAsking) return;
      this.#model.enter("follow");
      this.#facts.dropUseless();
      this.#askAll(isRetry);
    } catch (thrown) {
      this.fail(thrown);
    }
    this.#show(() => this.#restIfDone());
    this.#facts.spread();
  }

  /** Shows what a round has brought. */
  #show(then) {
    try {
      this.#onChange(then);
    } catch (thrown) {
      // The listeners never end, or nobody waits for the module, which has failed.
      if (!(thrown instanceof PricingError && this.#isRunning)) return report(thrown);
      this.fail(thrown);
      this.#show(() => {});
    }
  }

  #restIfDone() {
    this.#updatePauses();
    const { isOut } = this.#model;
    if (this.#mayAsk && !isOut) {
      this.#rounds = 0;
      this.#isRunning = false;
      this.#pauses.delete(MODULE);
      if (this.#waiters.size > 0) this.#endWaits(this.#outcome());
    }
    this.#facts.hold(this, isOut || this.isAwaited);
  }

  /** `isRetry`: asks also in the pause after an edit. */
  #askAll(isRetry) {
    this.#isAsking = true;
    try {
      while (this.#mayAsk || isRetry) {
        // No coupon call starts while a customer is editing.
        const withCoupons = this.#editing === undefined && this.#pauses.get(COUPONS)?.timer === undefined;
        const batch = questionsOf(this.#model, withCoupons);
        if (batch.length === 0) return;
        this.#rounds += 1;
        if (this.#rounds > MOST_ROUNDS) throw tooManyRounds();
        this.#facts.hold(this, true);
        this.#facts.ask(batch, this.#contexts());
        this.#facts.dropUseless();
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

  /** Begins the pauses of functions that have failed, and ends those that nobody needs any more. */
  #updatePauses() {
    if (!this.#automatic) return;
    const { problems, pending, blocked } = this.#model;
    const failed = problems.filter((problem) => problem.retryable && isOfLookup(problem));
    const lookups = new Set(failed.map(({ subject }) => subject?.lookup ?? ZONES));
    for (const lookup of lookups) if (!this.#facts.isAsking(lookup)) this.#pause(lookup);
    // The failure of a coupon request goes with it, but the service is still down.
    if ([...pending, ...blocked].includes("coupons")) lookups.add(COUPONS);
    for (const lookup of this.#pauses.keys()) if (!lookups.has(lookup) && lookup !== MODULE) this.#endPause(lookup);
  }

  #pause(lookup) {
    const pause = this.#pauses.get(lookup) ?? { tries: 0 };
    this.#pauses.set(lookup, pause);
    const { retryMs } = this.#automatic;
    const isOver = pause.tries >= retryMs.length;
    if (pause.timer !== undefined || retryMs.length === 0 || (isOver && !this.isWatched)) return;
    const ms = retryMs[Math.min(pause.tries, retryMs.length - 1)];
    pause.tries += 1;
    pause.retries = this.#facts.retries(lookup);
    pause.timer = after(ms * (1 + JITTER * Math.random()), () => this.#retry(lookup, pause));
  }

  #retry(lookup, pause) {
    pause.timer = undefined;
    // Another basket of the store has asked again meanwhile.
    if (this.#facts.retries(lookup) !== pause.retries) return this.#show(() => this.#updatePauses());
    this.#facts.retries(lookup, 1);
    this.#round(() => lookup === MODULE || this.#model.enter("askAgain", lookup), true);
  }

  #endPause(lookup) {
    clearTimeout(this.#pauses.get(lookup).timer);
    this.#pauses.delete(lookup);
  }

  #endTimers() {
    clearTimeout(this.#editing);
    this.#editing = undefined;
    for (const lookup of this.#pauses.keys()) this.#endPause(lookup);
  }

  #endWaits(settle) {
    for (const waiter of [...this.#waiters]) this.#endWait(waiter, settle);
  }

  #endWait(waiter, settle) {
    this.#waiters.delete(waiter);
    waiter.end();
    settle(waiter);
  }

  /** A function that ends a wait. Each gets an error of its own: whoever catches it may change it. */
  #outcome() {
    const { error } = this.#model;
    if (error) return ({ reject }) => reject(thrownOf(error));
    try {
      const text = this.#model.response();
      return ({ resolve }) => resolve(text);
    } catch (thrown) {
      return ({ reject }) => reject(thrown);
    }
  }

  /** The module failed, or the host never ends. */
  fail(thrown) {
    if (this.#isFreed) return;
    const error = pricingError(thrown, requestId());
    this.#isRunning = false;
    this.#facts.dropAll(error);
    this.#endWaits(({ reject }) => reject(error));
    this.#facts.hold(this, false);
    if (!this.#automatic) return;
    const pause = this.#pauses.get(MODULE);
    this.#endTimers();
    if (pause) this.#pauses.set(MODULE, pause);
    this.#pause(MODULE);
  }
}

function tooManyRounds() {
  const message = `The basket changed in each of ${MOST_ROUNDS} rounds of look-ups`;
  return new Refusal({ code: "INTERNAL", message, retryable: true });
}

/** Whether it says that a look-up failed: every such code ends so. */
const isOfLookup = ({ code }) => code.endsWith("_FAILED");
