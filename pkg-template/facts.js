// What a host has answered, and its calls that are out: for one basket, or for all that share a store.
import { withPricingErrors } from "./calculation.js";
import { Conversation } from "./conversation.js";
import { refusing } from "./error.js";
import { hold, instanceId, release } from "./instance.js";
import { encoded, jsonText } from "./json.js";
import { report } from "./listeners.js";
import { invalidOption, refuseUnknown } from "./options.js";
import { MOST_TIMER_MS } from "./runtime.js";
import { after } from "./timer.js";
import { WeakList } from "./weak-list.js";
import { FactsHandle, requestId } from "./wasm/order_cost.js";

const MAX_ENTRIES = 10_000;

const decoder = new TextDecoder();

/**
 * A basket, as its facts see it.
 *
 * @typedef {object} Member
 * @property {() => void} follow follows what has changed: asks what it may ask now, and shows the rest
 * @property {(lookup: string) => void} askAgain lets what failed in a look-up be asked again
 * @property {() => void} age follows what has become too old
 * @property {boolean} isAwaited whether somebody waits for it
 * @property {boolean} isWatched whether somebody listens to it
 */

/** The facts of a store. The module has them, and this the calls. */
export class Facts {
  #maxAgeMs;
  #maxEntries;
  /** Whether anybody can see when a fact was answered. */
  #isDated;
  #handle;
  #instance;
  #conversation;
  /** What failed calls threw, by their numbers. */
  #failures = new Map();
  #members = new WeakList();
  /** Members whose calls are out, or for which somebody waits: they stay in use until then. */
  #busy = new Set();
  #hasNews = false;
  #isSpreading = false;
  /** The timer until the next fact is too old. */
  #ageing;
  #isFreed = false;

  /** Without `options` it belongs to one basket, and nobody else sees it. */
  constructor(sources, options) {
    const { maxAgeMs = Infinity, maxEntries = MAX_ENTRIES, onCall } = options ?? {};
    this.#maxAgeMs = maxAgeMs;
    this.#maxEntries = maxEntries;
    this.#isDated = options !== undefined;
    this.#conversation = new Conversation(this, sources, {
      answered: (pass) => this.#answered(pass),
      keep: (call, failure) => void this.#failures.set(call, failure),
      isAwaited: () => [...this.#members].some(({ isAwaited }) => isAwaited),
      tell: onCall && ((question, outcome, cause) => tellOf(onCall, question, outcome, cause)),
    });
  }

  /** The store in the module, made again if its instance was replaced: then its facts are lost. */
  get handle() {
    if (this.#instance === instanceId()) return this.#handle;
    const isFirst = this.#instance === undefined;
    withPricingErrors(undefined, () => (this.#handle = new FactsHandle(this.#maxAgeMs)));
    this.#instance = instanceId();
    if (!isFirst) this.#lost();
    return this.#handle;
  }

  /** Runs an entry of the store in the module. */
  enter(entry, ...values) {
    const { handle } = this;
    return withPricingErrors(undefined, () => handle[entry](...values));
  }

  /** @param {Member} member Returns a function that ends its membership. */
  join(member) {
    const leave = this.#members.add(member);
    return () => {
      leave();
      this.#busy.delete(member);
    };
  }

  /** Keeps a member in use, or no longer. */
  keep(member, isBusy) {
    if (isBusy) this.#busy.add(member);
    else this.#busy.delete(member);
  }

  /** Somebody waits now. */
  keepAlive() {
    this.#conversation.keepAlive();
  }

  /** Asks the host. `contextOf` makes the context of a call. */
  ask(batch, contextOf) {
    this.tick();
    this.#conversation.ask(batch, contextOf);
    this.#hasNews = true;
  }

  /** Lets every member ask again for what failed in this look-up: their pauses end together. */
  askAgain(lookup) {
    for (const member of this.#members) member.askAgain(lookup);
  }

  /** What a failed call threw, and the id of its request. */
  failure(call) {
    return this.#failures.get(call);
  }

  /** Drops the calls of which nothing is needed any more. */
  dropUseless(reason = new DOMException("The basket no longer needs this answer", "AbortError")) {
    if (this.#conversation.isOut) this.#conversation.end(reason, this.enter("useless"));
  }

  /** Drops all calls. */
  dropAll(reason) {
    this.#conversation.end(reason);
    if (this.#instance === instanceId()) this.enter("forgetCalls");
  }

  /** Follows the time. */
  tick() {
    if (this.#isDated) this.#nextAge();
  }

  /** Tells every member, as long as one of them learns something from the host. */
  spread() {
    if (this.#isSpreading) return;
    this.#isSpreading = true;
    try {
      while (this.#hasNews) {
        this.#hasNews = false;
        for (const member of this.#members) member.follow();
      }
    } finally {
      this.#isSpreading = false;
    }
    this.#limit();
  }

  /** Waits for the next fact that becomes too old, if somebody listens. */
  ageLater() {
    if (this.#maxAgeMs === Infinity) return;
    clearTimeout(this.#ageing);
    if (![...this.#members].some(({ isWatched }) => isWatched)) return;
    const next = this.#nextAge();
    if (next === Infinity) return;
    this.#ageing = after(Math.min(Math.max(next - Date.now(), 0), MOST_TIMER_MS), () => {
      this.tick();
      for (const member of this.#members) member.age();
    });
  }

  /** Takes prices and rates. */
  add(facts) {
    const { text, unwritable } = jsonText(facts);
    const bytes = encoded(text);
    this.enter("add", bytes, unwritable, Date.now());
    this.#tell();
  }

  known() {
    return JSON.parse(decoder.decode(this.enter("known")));
  }

  clear() {
    this.enter("clear");
    for (const member of this.#members) member.age();
  }

  /** Gives a job what it knows. */
  recall(job, withVouchers) {
    this.tick();
    job.enter("recall", this.handle, withVouchers);
  }

  /** Takes what a job has learned. */
  hear(job) {
    if (this.#isFreed) return;
    this.tick();
    job.enter("tell", this.handle);
    this.#tell();
  }

  #tell() {
    this.#hasNews = true;
    this.spread();
  }

  #nextAge() {
    return this.enter("tick", Date.now());
  }

  #answered(pass) {
    try {
      this.tick();
      pass();
    } catch (thrown) {
      for (const member of this.#members) {
        member.fail(thrown);
        member.followSoon(); // it shows what is lost
      }
      return;
    }
    this.#tell();
  }

  /** Forgets what nobody needs, beyond the limit. */
  #limit() {
    if (this.#failures.size > 0) this.#dropFailures();
    const excess = this.#isDated ? this.enter("count") - this.#maxEntries : 0;
    if (excess <= 0) return;
    const ages = this.enter("evictable").sort();
    if (ages.length > 0) this.enter("evict", ages[Math.min(excess, ages.length) - 1], excess);
  }

  /** Forgets what calls threw that are no longer a problem of anybody. */
  #dropFailures() {
    const calls = new Set([...this.#members].flatMap(({ failedCalls }) => [...failedCalls]));
    for (const call of this.#failures.keys()) if (!calls.has(call)) this.#failures.delete(call);
  }

  /** The facts and the calls are lost with the old instance. */
  #lost() {
    this.#failures.clear();
    this.#conversation.end(new Error("The instance of the module was replaced"));
    for (const member of this.#members) member.lost();
  }

  /** Only for facts that belong to one basket. */
  free() {
    this.#isFreed = true;
    release(this.#handle, this.#instance);
  }
}

/** Tells an inspector of a call, see `HostCall` in index.d.ts. An inspector that throws stops nobody. */
function tellOf(onCall, question, outcome, cause) {
  const { call: id, lookup, argument, context } = question;
  question.since ??= Date.now();
  const ms = Date.now() - question.since;
  const { context: given, requestId } = context.forHost();
  try {
    onCall({ id, lookup, argument, context: given, requestId, outcome, ms, ...(outcome === "failed" && { cause }) });
  } catch (thrown) {
    report(thrown);
  }
}

/** See `FactStore` in index.d.ts. */
export class FactStore {
  #facts;
  /** The pricer's, which tell its stores from those of others. */
  #sources;

  constructor(sources, known, options) {
    this.#sources = sources;
    this.#facts = new Facts(sources, refusing(() => readOptions(options ?? {}), requestId));
    if (known !== undefined) this.#facts.add(known);
    hold(this);
    // Vue makes no proxy of it, through which its private fields would be out of reach.
    Object.preventExtensions(this);
  }

  add(facts) {
    this.#facts.add(facts);
  }

  toJSON() {
    return this.#facts.known();
  }

  clear() {
    this.#facts.clear();
  }

  /** The facts of a store. Throws unless it is a store of the pricer with these sources. */
  static factsOf(store, sources) {
    const isStore = typeof store === "object" && store !== null && #facts in store;
    if (isStore && store.#sources === sources) return store.#facts;
    throw invalidOption("facts", "expected a fact store of this pricer");
  }
}

function readOptions(options) {
  refuseUnknown(options, ["maxAgeMs", "maxEntries", "onCall"]);
  const { maxAgeMs = Infinity, maxEntries = MAX_ENTRIES, onCall } = options;
  if (!(typeof maxAgeMs === "number" && maxAgeMs >= 0)) throw invalidOption("maxAgeMs", "expected a number of 0 or more");
  if (!(Number.isSafeInteger(maxEntries) && maxEntries > 0)) throw invalidOption("maxEntries", "expected a whole number above 0");
  if (!["undefined", "function"].includes(typeof onCall)) throw invalidOption("onCall", "expected a function");
  return { maxAgeMs, maxEntries, onCall };
}
