// Settles a basket: decides when it asks, waits and tries again.
//
// A basket asks while somebody waits in settle(), and while it settles by itself, but never in the pause after an edit. A
// call that failed for a reason that may pass has a pause of its own: its function is asked again when that is over, whatever
// else is going on.
import {
  aborted,
  Context,
  PricingError,
  pricingError,
  questionsOf,
  Refusal,
  refuseUnknown,
  throwIfNestedDeep,
  thrownOf,
  throwUnlessSignal,
} from "../core/index.js";
import { report, whenAborted } from "../shared/index.js";
import { requestId } from "../wasm/order_cost.js";
import { Pauses } from "./pauses.js";

/** Users need far fewer rounds. Without a limit, a host that edits the basket in each callback would loop for ever. */
const MOST_ROUNDS = 100;

/** A pause after a failure is longer than told by up to this part: the browsers that lost a service come back apart. */
const JITTER = 0.2;

/** The pauses are named by the functions that failed, but for that after an edit, and after a failure of the module itself. */
const COUPONS = "validateCoupons";
const EDIT = "edit";
const MODULE = "module";

/**
 * What the basket does when its host or its customer gives it a turn:
 * - "resting": it asks if it settles by itself
 * - "running": it asks, because a settle() wants every answer. Then it rests
 * - "failed": it asks nothing, because the module failed or the host never ends. It rests after an edit, or its pause
 * - "freed": it does nothing, for ever
 *
 * @typedef {"resting" | "running" | "failed" | "freed"} State
 */

export class Settling {
  #model;
  #facts;
  #context;
  /** The id of its calls that begin together; undefined: a new one each time. */
  #requestId;
  /** How it settles by itself: the pause after an edit and those after failures, in ms. */
  #automatic;
  #onChange;
  #isListenedTo;
  #waiters = new Set();
  /** @type {State} */
  #state = "resting";
  /** Whether a round runs: the host's functions that it calls may edit the basket. */
  #isAsking = false;
  /** How often it has asked since the last edit or rest. */
  #rounds = 0;
  #pauses = new Pauses();
  /** The numbers of the failed calls whose questions were let go since: they need no pause. */
  #askedAgain = new Set();
  /** Its seat among the members of its facts. */
  #seat;

  /**
   * `onChange` is called after answers, with a function to call when the model has read them; `isListenedTo` returns
   * whether the basket has subscribers.
   */
  constructor(model, facts, { context, requestId, automatic, onChange, isListenedTo }) {
    this.#model = model;
    this.#facts = facts;
    this.#context = context;
    this.#requestId = requestId;
    this.#automatic = automatic;
    this.#onChange = onChange;
    this.#isListenedTo = isListenedTo;
    this.#seat = facts.join(this);
  }

  /** Whether something will come by itself: a call is out, or a pause runs that ends in one. */
  get isSettling() {
    return this.#model.isOut || this.#isAsking || this.#pauses.names.some((name) => this.#needsPause(name));
  }

  get isWatched() {
    return this.#isListenedTo();
  }

  /** Whether a call follows the pause of this name. */
  #needsPause(name) {
    const { pending, isOpen, failures } = this.#model;
    if (name === EDIT) return isOpen;
    if (name === MODULE) return isOpen || failures.size > 0;
    return [...failures.values()].includes(name) || (name === COUPONS && pending.includes("coupons"));
  }

  /** Whether it may ask, but for the pause after an edit. */
  get #isActive() {
    return this.#state === "running" || (this.#state === "resting" && this.#automatic !== undefined);
  }

  /** All changes of the state go through here: nothing follows the end. */
  #become(state) {
    if (this.#state !== "freed") this.#state = state;
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
      this.#facts.beginWait();
      this.#run();
    }).catch((thrown) => {
      throw pricingError(thrown, requestId());
    });
  }

  /** Follows what the model has read. */
  hasRead() {
    const names = this.#model.takeNames();
    if (names) this.#facts.name(this.#seat, names);
  }

  /** Follows an edit that the model has read. */
  edited() {
    // Customers may edit as often as they like.
    if (!this.#isAsking) this.#resume();
    if (this.#automatic) this.#settleSoon();
    this.#updatePauses();
    // Waiting callers get the newest basket. Edits of one turn are asked for together.
    if (this.#state === "running") this.followSoon();
  }

  /** Follows what the host has answered. */
  follow() {
    this.#round();
  }

  /** The same, in a turn of its own. */
  followSoon() {
    queueMicrotask(() => this.#round());
  }

  /** Follows the loss of all facts and calls: the next calls have the numbers of earlier ones. */
  lost() {
    this.#askedAgain.clear();
    this.#pauses.endAllBut(EDIT, MODULE);
    this.followSoon();
  }

  /** Follows what has become too old, which the next round asks for again. */
  age() {
    this.#show(() => this.edited());
  }

  /** Follows new delivery zones that an order or a basket has asked for: no pause follows an answer. */
  zonesArrived() {
    if (this.#state === "running" || this.#model.isOut) return this.#round();
    this.#show(() => this.edited());
  }

  /** Lets what failed in a look-up be asked again, and ends the pause. */
  askAgain(lookup) {
    if (this.#pauses.begun(lookup) === 0) return;
    this.#pauses.cut(lookup);
    for (const [call, of] of this.#model.failures) if (of === lookup) this.#askedAgain.add(call);
    this.#model.enter("askAgain", lookup);
  }

  /** Everything is asked again. */
  refreshed() {
    this.#pauses.endAllBut(EDIT);
  }

  /** Somebody listens now: tries go on, and what became too old meanwhile is asked. */
  watched() {
    if (this.#automatic) {
      this.#show(() => this.#updatePauses());
      if (this.#model.pending.length > 0 && !this.isSettling) this.followSoon();
    }
    this.#facts.watch(this.#seat);
  }

  /** Ends all timers and waits. */
  free(reason) {
    this.#become("freed");
    this.#pauses.endAllBut();
    this.#endWaits(({ reject }) => reject(aborted(reason)));
    this.#facts.leave(this, this.#seat);
  }

  /** The host may be asked as often again, unless the pause after a failure of the module goes on. */
  #resume() {
    this.#rounds = 0;
    if (this.#state === "failed" && !this.#pauses.has(MODULE)) this.#become("resting");
  }

  #settleSoon() {
    this.#pauses.end(EDIT);
    const { isOpen, blocked } = this.#model;
    // Blocked coupons, too, are not asked while a customer is editing: the problem may be solved meanwhile.
    if (this.#isAsking || (!isOpen && blocked.length === 0)) return;
    this.#pauses.begin(EDIT, this.#automatic.debounceMs, () => this.#round());
  }

  /** Begins to ask for everything open, at once. */
  #run() {
    this.#pauses.endAllBut();
    this.#rounds = 0;
    this.#become("running");
    this.#round(() => {
      this.#facts.tick();
      // A function of the host may call settle() before the basket has read what came just now.
      this.#model.read();
      this.#askedAgain = new Set(this.#model.failures.keys());
      this.#model.enter("askAgain");
    });
  }

  /** Begins as told, asks until nothing is left to ask, and comes to rest if no answer is awaited. */
  #round(begin = () => {}, isRetry = false) {
    if (this.#state === "freed") return;
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
    this.#facts.spread(this);
  }

  /** Shows what a round has brought. */
  #show(then) {
    try {
      this.#onChange(then);
    } catch (thrown) {
      // The listeners never end, or nobody waits for the module, which has failed.
      if (!(thrown instanceof PricingError && this.#isActive)) return report(thrown);
      this.fail(thrown);
      this.#show(() => {});
    }
  }

  #restIfDone() {
    this.#updatePauses();
    const { isOut } = this.#model;
    if (this.#isActive && !this.#pauses.has(EDIT) && !isOut) {
      this.#rounds = 0;
      this.#become("resting");
      this.#pauses.end(MODULE);
      if (this.#waiters.size > 0) this.#endWaits(this.#outcome());
    }
    this.#facts.hold(this, isOut || this.#waiters.size > 0);
  }

  /** `isRetry`: asks also in the pause after an edit. */
  #askAll(isRetry) {
    this.#isAsking = true;
    try {
      while (this.#isActive && (isRetry || !this.#pauses.has(EDIT))) {
        // No coupon call starts while a customer is editing.
        const withCoupons = !this.#pauses.has(EDIT) && (this.#state === "running" || !this.#pauses.has(COUPONS));
        this.#facts.stock(this.#model, true);
        const batch = questionsOf(this.#model, withCoupons);
        if (batch.length === 0) return;
        this.#rounds += 1;
        if (this.#rounds > MOST_ROUNDS) throw tooManyRounds();
        this.#facts.hold(this, true);
        this.#facts.ask(batch, this.#contexts());
        this.#model.enter("follow");
        this.#facts.dropUseless();
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** Each call has a signal of its own; calls that begin together have one request id. */
  #contexts() {
    let id = this.#requestId;
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
    if (this.#state === "failed") return this.#pause(MODULE);
    const { failures, pending, blocked } = this.#model;
    for (const call of this.#askedAgain) if (!failures.has(call)) this.#askedAgain.delete(call);
    for (const [call, lookup] of failures) if (!this.#askedAgain.has(call)) this.#pause(lookup);
    const lookups = new Set(failures.values());
    // The failure of a coupon request goes with it, but the service is still down.
    if (this.#pauses.has(COUPONS) || [...pending, ...blocked].includes("coupons")) lookups.add(COUPONS);
    this.#pauses.endAllBut(EDIT, MODULE, ...lookups);
  }

  /** Begins the pause after a failure, unless it runs. The last one is repeated only while somebody listens. */
  #pause(name) {
    const lengths = this.#automatic?.retryMs ?? [];
    const ms = lengths[this.#pauses.begun(name)] ?? (this.isWatched ? lengths.at(-1) : undefined);
    if (ms === undefined || this.#pauses.has(name)) return;
    this.#pauses.begin(name, ms * (1 + JITTER * Math.random()), () => this.#retry(name));
  }

  #retry(name) {
    if (name === MODULE) this.#resume();
    // Each basket has requests of its own to the coupon service.
    const asker = name === COUPONS ? this : this.#facts;
    this.#round(() => name === MODULE || asker.askAgain(name), true);
  }

  #endWaits(settle) {
    for (const waiter of [...this.#waiters]) this.#endWait(waiter, settle);
  }

  #endWait(waiter, settle) {
    if (!this.#waiters.delete(waiter)) return;
    this.#facts.endWait();
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
    if (this.#state === "freed") return;
    const error = pricingError(thrown, requestId());
    this.#facts.dropAll(error);
    this.#endWaits(({ reject }) => reject(error));
    this.#facts.hold(this, false);
    this.#pauses.endAllBut(MODULE);
    this.#askedAgain.clear();
    this.#become("failed");
    this.#pause(MODULE);
  }
}

function tooManyRounds() {
  const message = `The basket changed in each of ${MOST_ROUNDS} rounds of look-ups`;
  return new Refusal({ code: "INTERNAL", message, retryable: true });
}
