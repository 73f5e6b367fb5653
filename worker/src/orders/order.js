import { isPromise, LOOK_UPS } from "order-cost/internal";

/** What an order waits for first: the client sends it. */
export const THE_BODY = "the body";

/** The shadow Worker's second call has it: the client has its answer from the other side. */
export const SHADOW_HEADER = "x-order-cost-shadow";

const NOTHING = { keys: 0, reads: 0 };
/** The look-ups that read a record for each key. */
const LISTS = Object.values(LOOK_UPS).filter(({ isList }) => isList);

/** @typedef {import("../service/connected-catalogue.js").Version} Version */

/** @typedef {import("order-cost").CallContext & { readonly context: Order }} OrderCall what the pricer tells a look-up */

/**
 * An order on its way through the Worker: what its look-ups note for the headers and the log. It takes the place of the
 * runtime's context, so each look-up has it as `ctx.context`.
 */
export class Order {
  /**
   * The version of the catalogue that was in use when its headers came. A promise if a look has to say which.
   * @type {Version | Promise<Version> | undefined}
   */
  versionInUse;
  /**
   * That version, once the order is priced with it.
   * @type {Version | undefined}
   */
  version;
  /**
   * Proves what its answer is. An answer without one has failed, or nobody signs.
   * @type {string | undefined}
   */
  receipt;
  /** What the routes say at its end. */
  outcome;
  /** Notes what it is priced from, if somebody wants to know. */
  recording;
  /** Whether another Worker has sent it by a binding. */
  isBound = false;
  /** Where it was captured, or why it was not (decisions.js). Undefined: nobody wants to. */
  capture;
  /** Goes out with its questions in place of the client's. */
  traceparent;
  /** What a coupon answer says in its `error`, as the log may show it. */
  couponError;
  /** How many keys each look-up was asked for, and how many of them were read or asked elsewhere, not found in memory. */
  #counts = {};
  /** What it waits for, one entry for each wait. */
  #open = [THE_BODY];
  /** Since when it waits for something, and for how long it did before. */
  #waitsSince = performance.now();
  #waitedMs = 0;
  #ctx;

  /**
   * @param {import("../service/service.js").Asked} request
   * @param {import("../service/service.js").Context} ctx
   * @param {string} [key] the beginning of the hash of its API key
   */
  constructor(request, ctx, key) {
    this.request = request;
    this.#ctx = ctx;
    this.key = key;
  }

  /** Whether the client reads another's answer. Only a binding can say so. */
  get isShadow() {
    return this.isBound && this.request.headers.get(SHADOW_HEADER) === "1";
  }

  /** Keeps work alive beyond the response. */
  waitUntil(work) {
    this.#ctx.waitUntil(work);
  }

  /** Its body has been read. */
  arrived() {
    this.#close(THE_BODY);
  }

  /**
   * Passes on an answer, and notes what the order waits for until it is there.
   * @param {AbortSignal} [signal] ends the waiting: an answer that comes of that was waited for until the end
   */
  waitFor(what, answer, signal) {
    if (!isPromise(answer)) return answer;
    if (this.#open.length === 0) this.#waitsSince = performance.now();
    this.#open.push(what);
    return answer.finally(() => signal?.aborted || this.#close(what));
  }

  #close(what) {
    this.#open.splice(this.#open.indexOf(what), 1);
    if (this.#open.length === 0) this.#waitedMs += performance.now() - this.#waitsSince;
  }

  /** How long it has waited for its client, for services and for stores, in milliseconds. */
  get waitedMs() {
    return this.#waitedMs + (this.#open.length === 0 ? 0 : performance.now() - this.#waitsSince);
  }

  /** What the order waits for. */
  get open() {
    return [...new Set(this.#open)];
  }

  /** @param {Exclude<keyof import("order-cost/worker").OrderTimes, "total">} part */
  countKeys(part, keys) {
    this.#of(part).keys += keys;
  }

  countReads(part, reads) {
    this.#of(part).reads += reads;
  }

  #of(part) {
    return (this.#counts[part] ??= { ...NOTHING });
  }

  /** What a look-up was asked for: `{ keys, reads }`. */
  countsOf(part) {
    return this.#counts[part] ?? NOTHING;
  }

  /** How many texts it read from stores. */
  get reads() {
    return LISTS.reduce((sum, { part }) => sum + this.countsOf(part).reads, 0);
  }
}
