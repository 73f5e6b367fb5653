// What a host has answered, and its calls that are out: for one basket, or for all that share a store.
import {
  answerText,
  Conversation,
  hides,
  hold,
  instanceId,
  invalidOption,
  NOT_PLAIN,
  PricingError,
  refuseUnknown,
  refusing,
  release,
  Shelf,
  withPricingErrors,
} from "../core/index.js";
import { after, encoded, handedOut, isObject, report } from "../shared/index.js";
import { FactsHandle, requestId } from "../wasm/order_cost.js";
import { nameFault } from "./fact-keys.js";
import { Members } from "./members.js";

const MAX_ENTRIES = 10_000;

const decoder = new TextDecoder();

/**
 * A basket, as its facts see it.
 *
 * @typedef {object} Member
 * @property {() => void} follow follows what has changed: asks what it may ask now, and shows the rest
 * @property {(lookup: string) => void} askAgain lets what failed in a look-up be asked again
 * @property {() => void} age follows what has become too old
 * @property {boolean} isWatched whether somebody listens to it
 */

/** The facts of a store. The module has them, and this the calls. */
export class Facts {
  #maxAgeMs;
  #maxEntries;
  /** Whether it is a store: others have it, too, and see when a fact was answered. */
  #isStore;
  #sources;
  #handle;
  #instance;
  #conversation;
  /** The records that were given or handed out: if the module breaks, they count until the host has answered anew. */
  #backup = new Map();
  /** What failed calls threw, by their numbers. */
  #failures = new Map();
  #members = new Members();
  /** Members whose calls are out, or for which somebody waits: they stay in use until then. */
  #busy = new Set();
  /** How many wait for a member. */
  #waits = 0;
  /** Whether facts may have changed of which their members do not know yet. */
  #hasNews = false;
  /** Whether the store was made again, so that all of them have. */
  #isAllNew = false;
  #isSpreading = false;
  /** The timer until the next fact is too old. */
  #ageing;
  /** Whether some have become too old, and those who listen do not know yet. */
  #hasAged = false;
  #onVisibility = () => this.ageLater();
  /** How many baskets have them, if it is no store. */
  #owners = 1;
  #isFreed = false;

  /** Without `options` it belongs to one basket, and nobody else sees it. */
  constructor(sources, options) {
    const { maxAgeMs = Infinity, maxEntries = MAX_ENTRIES, onCall } = options ?? {};
    this.#maxAgeMs = maxAgeMs;
    this.#maxEntries = maxEntries;
    this.#isStore = options !== undefined;
    this.#sources = sources;
    this.#conversation = new Conversation(this, sources, {
      answered: (pass) => this.#answered(pass),
      keep: (call, failure) => void this.#failures.set(call, failure),
      isAwaited: () => this.#waits > 0,
      tell: onCall && ((question, outcome, cause) => tellOf(onCall, question, outcome, cause)),
    });
  }

  /** The store in the module, made again if its instance was replaced. */
  get handle() {
    if (this.#instance === instanceId()) return this.#handle;
    const isFirst = this.#instance === undefined;
    withPricingErrors(undefined, () => (this.#handle = new FactsHandle(this.#maxAgeMs)));
    this.#instance = instanceId();
    if (!isFirst) this.#recover();
    return this.#handle;
  }

  /** Runs an entry of the store in the module. */
  enter(entry, ...values) {
    const { handle } = this;
    return withPricingErrors(undefined, () => handle[entry](...values));
  }

  /** @param {Member} member Returns its seat. */
  join(member) {
    return this.#members.add(member);
  }

  /** Follows which facts a member names. */
  name(seat, names) {
    this.#members.name(seat, names);
  }

  /** Somebody listens to a member. */
  watch(seat) {
    this.#members.watch(seat);
    this.ageLater();
  }

  leave(member, seat) {
    this.#members.remove(seat);
    this.#busy.delete(member);
    this.ageLater();
  }

  /** Keeps a member from being collected, or no longer. */
  hold(member, isBusy) {
    if (isBusy) this.#busy.add(member);
    else this.#busy.delete(member);
  }

  /** Somebody waits now. */
  beginWait() {
    this.#waits += 1;
    this.#conversation.keepAlive();
  }

  endWait() {
    this.#waits -= 1;
  }

  /** Takes the prices that are at hand for a basket. `withOld`: also in place of what is out of date. */
  stock(basket, withOld = false) {
    const found = Shelf.atHand(this.#sources.host);
    if (!found) return;
    this.tick(); // it says when they came
    if (found.shelf.stock(basket, found.version.id, withOld) === 0) return;
    this.#hasNews = true;
    if (this.#isStore) queueMicrotask(() => this.spread(basket));
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
    this.#hasNews = true;
  }

  /** What a failed call threw, and the id of its request. */
  failure(call) {
    return this.#failures.get(call);
  }

  /** Drops the calls of which nothing is needed any more. */
  dropUseless(reason) {
    if (!this.#conversation.isOut) return;
    const useless = this.enter("useless");
    if (useless.length > 0) this.#conversation.end(reason ?? unneeded(), useless);
  }

  /** Drops all calls. */
  dropAll(reason) {
    this.#conversation.end(reason);
    if (this.#instance === instanceId()) this.enter("forgetCalls");
  }

  /** Follows the time. Returns when the next fact will be too old: now, if one has become so. */
  tick() {
    if (!this.#isStore) return Infinity;
    const now = Date.now();
    const next = this.enter("tick", now);
    this.#hasAged ||= next <= now;
    return next;
  }

  /** Tells the members what has changed, as long as one of them learns something from the host. `asker` knows already. */
  spread(asker) {
    if (this.#isSpreading) return;
    this.#isSpreading = true;
    let knowing = asker;
    try {
      // The host may free the basket in the call of which it is told.
      while (this.#hasNews && !this.#isFreed) {
        this.#hasNews = false;
        for (const member of this.#concerned()) if (member !== knowing) member.follow();
        knowing = undefined;
      }
    } finally {
      this.#isSpreading = false;
    }
    if (this.#isFreed) return;
    this.#limit();
    this.ageLater();
  }

  /** Waits for the next fact that becomes too old, while somebody listens and the page is visible. */
  ageLater() {
    if (this.#maxAgeMs === Infinity) return;
    clearTimeout(this.#ageing);
    const { document } = globalThis;
    const { isWatched } = this.#members;
    if (isWatched) document?.addEventListener("visibilitychange", this.#onVisibility);
    else document?.removeEventListener("visibilitychange", this.#onVisibility);
    if (!isWatched || document?.visibilityState === "hidden") return;
    const next = this.tick();
    if (next === Infinity && !this.#hasAged) return;
    const ms = this.#hasAged ? 0 : next - Date.now();
    this.#ageing = after(Math.max(ms, 0), () => this.#age());
  }

  #age() {
    this.tick();
    this.#hasAged = false;
    for (const member of this.#concerned()) if (member.isWatched) member.age();
    this.ageLater();
  }

  /** The members that name what has changed since the last call. */
  #concerned() {
    const news = this.enter("news");
    if (!this.#isAllNew) return this.#members.naming(news);
    this.#isAllNew = false;
    return this.#members;
  }

  /** Takes prices and rates, as known now or at their times: all, or none if one is wrong. */
  add(facts) {
    const now = Date.now();
    const records = factsIn(facts).map(({ record, at = now, ...key }) => ({ ...key, ...textOf(record), at }));
    this.#take(records, now);
    // The first snapshot of a basket that is still to be made shows also what is too old.
    if (!this.#members.isEmpty) this.tick();
    this.#tell();
  }

  /** Takes a customer's vouchers of an earlier page. */
  takeVouchers(vouchers) {
    const records = vouchers.map(([kind, name, text, at]) => ({ kind, name, text, unwritable: false, at }));
    this.#take(records, Date.now());
  }

  /** All known prices and rates. */
  known() {
    const known = { prices: {}, rates: {}, at: { prices: {}, rates: {} } };
    for (const [kind, name, text, at] of JSON.parse(decoder.decode(this.enter("known")))) {
      known[kind][name] = text;
      known.at[kind][name] = at;
      this.#backUp({ kind, name, text: text ?? "null", unwritable: false, at });
    }
    return known;
  }

  clear() {
    this.#backup.clear();
    this.enter("clear");
    this.tellAged();
  }

  /** Tells the members but one that facts have to be asked again. */
  tellAged(except) {
    for (const member of this.#concerned()) if (member !== except) member.age();
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
    // What it had from here may have become too old meanwhile.
    this.tick();
    this.#tell();
  }

  #take(records, now) {
    // Before a record is written: to make the store again would take the same scratch memory.
    const { handle } = this;
    for (const { kind, name, text, unwritable, at } of records) {
      const bytes = encoded(text);
      withPricingErrors(undefined, () => handle.offer(kind, name, bytes, unwritable, at));
    }
    this.enter("takeOffers", now);
    for (const record of records) this.#backUp(record);
  }

  #backUp(record) {
    this.#backup.set(`${record.kind} ${record.name}`, record);
    if (this.#backup.size > this.#maxEntries) this.#backup.delete(this.#backup.keys().next().value);
  }

  #tell() {
    this.#hasNews = true;
    this.spread();
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
    if (this.#isStore) this.enter("limit", this.#maxEntries);
  }

  /** Forgets what calls threw that are no longer a problem of anybody. */
  #dropFailures() {
    const calls = new Set(this.enter("failedCalls"));
    for (const call of this.#failures.keys()) if (!calls.has(call)) this.#failures.delete(call);
  }

  /** Facts and calls are lost with the old instance. */
  #recover() {
    this.#failures.clear();
    this.#conversation.end(new Error("The instance of the module was replaced"));
    this.#take([...this.#backup.values()], Date.now());
    this.enter("refresh");
    this.#isAllNew = true;
    for (const member of this.#members) member.lost();
  }

  /** One more basket has them. */
  share() {
    this.#owners += 1;
  }

  /** A basket is freed. The facts go with the last one; those of a store stay. */
  freeOwn() {
    this.#owners -= 1;
    if (this.#isStore || this.#owners > 0) return;
    this.#isFreed = true;
    release(this.#handle, this.#instance);
  }
}

const unneeded = () => new DOMException("The basket no longer needs this answer", "AbortError");

/** The JSON text of a record; one that throws has none, and is refused. */
function textOf(record) {
  try {
    return answerText(record ?? null);
  } catch {
    return { text: "", unwritable: false };
  }
}

/** What a store takes. */
const KINDS = ["prices", "rates"];

/** The prices and rates of a `Facts`. */
function factsIn(given) {
  const facts = typeof given?.toJSON === "function" ? given.toJSON("") : given;
  if (!isObject(facts)) throw invalidFacts("", "expected an object");
  if (hides(facts)) throw invalidFacts("", NOT_PLAIN);
  for (const name of Object.keys(facts)) {
    const fault = nameFault(name);
    if (fault) throw invalidFacts(name, fault);
  }
  const at = part(facts, "at", "") ?? {};
  for (const kind of Object.keys(at))
    if (!KINDS.includes(kind)) throw invalidFacts(`at.${kind}`, `unknown; times are of ${KINDS.join(", ")}`);
  return KINDS.flatMap((kind) => {
    const times = part(at, kind, "at.") ?? {};
    const records = Object.entries(part(facts, kind, "") ?? {});
    return records.map(([name, record]) => ({ kind, name, record, at: timeOf(times, kind, name) }));
  });
}

/** An object in the facts, if it is there. */
function part(whole, key, place) {
  const value = whole[key] ?? undefined;
  if (hides(value)) throw invalidFacts(`${place}${key}`, NOT_PLAIN);
  if (value === undefined || isObject(value)) return value;
  throw invalidFacts(`${place}${key}`, "expected an object");
}

function timeOf(times, kind, name) {
  const at = times[name] ?? undefined;
  if (at === undefined || Number.isFinite(at)) return at;
  throw invalidFacts(`at.${kind}["${name}"]`, "expected a time in ms since 1970");
}

function invalidFacts(path, fault) {
  const message = `Invalid facts: ${path === "" ? "" : `${path}: `}${fault}`;
  return new PricingError({ code: "VALIDATION_ERROR", message, path, retryable: false }, requestId());
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
    this.#facts = new Facts(
      sources,
      refusing(() => readOptions(options ?? {}), requestId),
    );
    if (known !== undefined) this.#facts.add(known);
    hold(this);
    handedOut(this);
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
