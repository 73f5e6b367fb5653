import {
  asJson,
  hidingPart,
  invalidOption,
  notPlain,
  PricingError,
  pathOf,
  refuseHiding,
  refuseUnknown,
  refusing,
  thrownOf,
} from "../core/index.js";
import { ChangeEvents, handedOut, jsonText, Listeners, MOST_TIMER_MS, report } from "../shared/index.js";
import { requestId } from "../wasm/order_cost.js";
import { BasketModel, NEW, productsOf } from "./basket-model.js";
import { kept } from "./kept.js";
import { Settling } from "./settling.js";

/** `using` calls the method of this name. Older runtimes do not have the symbol. */
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const DEBOUNCE_MS = 150;

/** The pauses after failures that may pass. The last one is repeated. */
const RETRY_MS = Object.freeze([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);

const encoder = new TextEncoder();

/** The option of a basket that only quotes: `{ facts, requestId }`, the facts of the basket that is asked and the id of the call. */
const quoting = Symbol("quoting");

/** An order that is being edited. See `Basket` in index.d.ts. */
export class Basket extends EventTarget {
  #model;
  #facts;
  #settling;
  /** What the pricer does for its baskets. */
  #pricer;
  #context;
  #listeners = new Listeners();
  /** Undefined until somebody listens. */
  #events;
  #isFreed = false;
  #initial;

  /**
   * Of the pricer: `pricing` returns the `Pricing` of the current module instance, `factsOf` the facts of a store or new
   * ones, `quote` prices an order with facts, `quoteNow` does and asks nobody, `basket` makes a basket, and `onFree` is called
   * when this one is freed.
   */
  constructor(order, options, pricer) {
    super();
    const quote = options?.[quoting];
    const factsOf = quote ? () => quote.facts : pricer.factsOf;
    const { context, automatic, facts } = refusing(() => readOptions(options ?? {}, factsOf), requestId);
    this.#pricer = pricer;
    this.#facts = facts;
    this.#context = context;
    this.#model = new BasketModel(pricer.pricing, facts, order, options?.[kept]);
    if (quote) facts.share();
    this.#initial = this.#model.snapshot;
    this.#settling = new Settling(this.#model, facts, {
      context,
      requestId: quote?.requestId,
      automatic,
      onChange: (then) => this.#show(then),
      isListenedTo: () => this.#listeners.isAny,
    });
    // The first snapshot says what is too old: servers and hydrating pages show the initial one.
    this.#facts.tick();
    this.#show(() => this.#settling.edited());
    handedOut(this);
  }

  subscribe(listener) {
    if (typeof listener !== "function") throw refusal("Invalid listener: expected a function", "listener");
    const stop = this.#listeners.add(listener, () => this.snapshot);
    if (!this.#isFreed) this.#settling.watched();
    return () => {
      stop();
      this.#facts.ageLater();
    };
  }

  get snapshot() {
    return this.#model.snapshot;
  }

  get initialSnapshot() {
    return this.#initial;
  }

  get order() {
    return this.snapshot.order;
  }

  get totals() {
    return this.snapshot.totals;
  }

  get rows() {
    return this.snapshot.rows;
  }

  get status() {
    return this.snapshot.status;
  }

  get pending() {
    return this.snapshot.pending;
  }

  get error() {
    return this.snapshot.error;
  }

  get problems() {
    return this.snapshot.problems;
  }

  get isSettling() {
    return this.snapshot.isSettling;
  }

  get shipping() {
    return this.snapshot.shipping;
  }

  get validVouchers() {
    return this.snapshot.validVouchers;
  }

  get invalidVouchers() {
    return this.snapshot.invalidVouchers;
  }

  get discountResult() {
    return this.snapshot.discountResult;
  }

  get coupons() {
    return this.snapshot.coupons;
  }

  get slots() {
    return this.snapshot.slots;
  }

  /**
   * @param {string} type
   * @param {[listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions]} rest
   */
  addEventListener(type, ...rest) {
    if (type === "change" && !this.#isFreed) this.#events ??= new ChangeEvents(this);
    super.addEventListener(type, ...rest);
  }

  setQuantity(line, quantity) {
    if (typeof quantity !== "number") return this.updateProduct(line, { quantity: sent(quantity) });
    return this.#edit(() => this.#model.setQuantity(line, quantity));
  }

  addProduct(product) {
    const added = productOf(product);
    return this.#edit(() => this.#model.append([added]));
  }

  addProducts(products) {
    const added = listOf(products);
    return this.#edit(() => this.#model.append(added));
  }

  insertProduct(line, product) {
    const added = productOf(product);
    return this.#edit(() => {
      const index = line === this.rows.length ? line : this.#model.checkedIndex(line);
      return this.#splice(index, 0, added);
    });
  }

  updateProduct(line, patch) {
    refuseHidden({ productList: [patch] });
    const fields = productOf(fieldsOf(patch));
    return this.#edit(() => {
      const index = this.#model.checkedIndex(line);
      const productList = [...productsOf(this.order)];
      productList[index] = patched(productList[index], fields);
      return this.#model.edit({ ...this.order, productList }, inPlace);
    });
  }

  removeProduct(line) {
    return this.#edit(() => this.#splice(this.#model.checkedIndex(line), 1));
  }

  setShipping(shipping) {
    return this.#set("shipping", shipping === null ? null : sent(shipping));
  }

  setSlots(slots) {
    const given = slotsOf(slots);
    return this.#edit(() => this.#model.setSlots(given));
  }

  setCoupons(codes) {
    return this.#set("couponCodeList", sent(codes));
  }

  setVouchers(ids) {
    return this.#set("voucherId", sent(ids));
  }

  setOwner(ownerId) {
    return this.#set("ownerId", sent(ownerId));
  }

  setBranch(branchId) {
    return this.#set("branchId", sent(branchId));
  }

  replace(order) {
    const next = written(order);
    return this.#edit(() => {
      throwWithoutList(next);
      return this.#model.replace(next);
    });
  }

  refresh(line) {
    this.#edit(() => {
      this.#model.enter("refresh", line === undefined ? undefined : this.#model.indexOf(line));
      if (line === undefined) this.#settling.refreshed();
    });
    this.#facts.tellAged(this.#settling);
    return this.totals;
  }

  async settle(call) {
    this.#throwIfFreed();
    return JSON.parse(await this.#settling.settle(call ?? {}));
  }

  explain() {
    this.#throwIfFreed();
    return { steps: this.#model.explain() };
  }

  responseJson() {
    this.#throwIfFreed();
    const { error } = this.snapshot;
    if (error) throw thrownOf(error);
    const text = this.#model.response();
    if (text === "") throw refusal("The basket is not settled", "basket");
    return encoder.encode(text);
  }

  async quote(patch, call) {
    this.#throwIfFreed();
    const given = call ?? {};
    refusing(() => refuseUnknown(given, ["signal", "requestId", "context"]), requestId);
    refuseHidden(patch);
    const next = patched(this.order, fieldsOf(patch));
    const options = { context: this.#context, ...given };
    try {
      return this.#pricer.quoteNow(next, options, this.#facts);
    } catch (thrown) {
      const { notKnown, requestId: id } = /** @type {PricingError} */ (thrown);
      if (!notKnown) throw thrown;
      // Coupons are asked for each quote: nothing to share.
      if (Object.keys(notKnown).every((part) => part === "coupons")) return this.#pricer.quote(next, options, this.#facts);
      return this.#ask(next, options, id);
    }
  }

  /** Prices an order as a basket with the same facts: what one of them asks for, no other one asks for at that time. */
  async #ask(order, { context, signal }, id) {
    const basket = this.#pricer.basket(order, { context, [quoting]: { facts: this.#facts, requestId: id } });
    try {
      return await basket.settle({ signal });
    } catch (thrown) {
      // It may have been another's call that failed.
      throw new PricingError(/** @type {PricingError} */ (thrown), id);
    } finally {
      basket.free();
    }
  }

  free() {
    if (this.#isFreed) return;
    // Set before the abort: a listener may call free() again.
    this.#isFreed = true;
    this.#events?.end();
    const reason = new Error("The basket was freed");
    this.#settling.free(reason);
    try {
      this.#model.leave();
      this.#facts.dropUseless(reason);
      this.#model.free();
      this.#facts.freeOwn();
    } catch {
      this.#facts.dropAll(reason); // the module broke, and what it had is gone
    }
    this.#pricer.onFree();
  }

  /** What `order-cost/keep` keeps; nothing once the basket is freed. `withOwn`: also what belongs to the customer. */
  [kept](withOwn) {
    if (this.#isFreed) return undefined;
    const { order, settledTotals } = this.snapshot;
    return { order, facts: this.#facts.known(), settledTotals, own: withOwn ? this.#model.own() : [] };
  }

  /** Takes the pricer's new delivery zones. Only the pricer calls it. */
  static takeZones(basket, pricing) {
    basket.#edit(() => basket.#model.enter("takeZones", pricing));
  }

  /** The same for zones that somebody has asked for. */
  static takeAnswer(basket, pricing) {
    try {
      basket.#model.enter("takeZones", pricing);
      basket.#settling.zonesArrived();
    } catch (thrown) {
      report(thrown); // it concerns only this basket
    }
  }

  [DISPOSE]() {
    this.free();
  }

  #set(key, value) {
    const part = written({ [key]: value });
    return this.#edit(() => this.#model.edit({ ...this.order, ...part }, inPlace));
  }

  /** Removes and adds products at an index, as `Array.prototype.splice` does. */
  #splice(index, removed, ...added) {
    const productList = [...productsOf(this.order)];
    const origins = inPlace(productList);
    productList.splice(index, removed, ...added);
    origins.splice(index, removed, ...added.map(() => NEW));
    return this.#model.edit({ ...this.order, productList }, () => origins);
  }

  /** Runs an edit, which returns false if it has changed nothing. */
  #edit(change) {
    this.#throwIfFreed();
    this.#facts.tick();
    if (change() === false) return this.totals;
    try {
      this.#follow();
    } catch (thrown) {
      if (!(thrown instanceof PricingError)) throw thrown; // the listeners never end
      // The module broke after the edit, which stands: the basket is made again.
      this.#follow();
    }
    return this.totals;
  }

  #follow() {
    this.#facts.stock(this.#model);
    this.#facts.dropUseless();
    this.#show(() => this.#settling.edited());
    this.#facts.ageLater();
  }

  /** Makes the next snapshot. `then` runs when the model has read what has changed. */
  #show(then) {
    if (this.#isFreed) return;
    const before = this.snapshot;
    this.#model.read();
    this.#settling.hasRead();
    then();
    this.#model.publish(this.#settling.isSettling);
    if (this.snapshot === before) return;
    this.#events?.announce();
    this.#listeners.tell(() => this.snapshot);
  }

  #throwIfFreed() {
    if (!this.#isFreed) return;
    throw refusal("The basket was freed: make another one with pricer.basket()", "basket");
  }
}

/** The value, or NaN, which every field refuses, for a value that JSON would leave out or that means "not sent". */
const sent = (value) => (value === null || ["undefined", "function", "symbol"].includes(typeof value) ? NaN : value);

const inPlace = (products) => Array.from(products.keys());

/** A part of an order as JSON has it. Its own code runs here, before an edit begins. */
const written = (part) => refusing(() => asJson(part), requestId);

const refuseHidden = (part) => refusing(() => refuseHiding(part), requestId);

const productOf = (product) => written({ productList: [sent(product)] }).productList[0];

/** The texts of deliveries, each with a NUL behind it, which JSON does not have. */
function slotsOf(slots) {
  if (!Array.isArray(slots)) throw noList("slots");
  const written = refusing(() => Array.from(slots, slotOf), requestId);
  return { text: written.map(({ text }) => `${text}\0`).join(""), unwritable: written.some(({ unwritable }) => unwritable) };
}

function slotOf(shipping, index) {
  const part = { shipping };
  const keys = hidingPart(part);
  if (keys) throw notPlain("order", pathOf(["slots", index, ...keys.slice(1)]));
  return jsonText(sent(asJson(part).shipping));
}

const listOf = (products) => {
  const list = Array.isArray(products) ? Array.from(products, sent) : NaN;
  const { productList } = written({ productList: list });
  if (Array.isArray(productList)) return productList;
  throw noList("productList");
};

/** The fields of a patch: `undefined` leaves a field, `null` resets it. NaN if the patch is none. */
function fieldsOf(patch) {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return NaN;
  if (typeof patch.toJSON === "function") return fieldsOf(patch.toJSON(""));
  const fields = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([key, value]) => [key, value === null ? null : sent(value)]));
}

/** A part of an order with the fields of a patch. */
function patched(part, fields) {
  if (Number.isNaN(fields)) return NaN;
  const next = { ...part, ...fields };
  for (const [key, value] of Object.entries(fields)) if (value === null) delete next[key];
  return next;
}

/** A `productList` may be empty. One that was forgotten must not empty a basket. */
function throwWithoutList(order) {
  if (typeof order !== "object" || order === null || Array.isArray(order) || (order.productList ?? null) !== null) return;
  throw noList("productList");
}

const noList = (name) => refusal(`Invalid order: ${name}: expected an array`, name);

const refusal = (message, path) => new PricingError({ code: "VALIDATION_ERROR", message, path, retryable: false }, requestId());

function readOptions(options, factsOf) {
  refuseUnknown(options, ["context", "autoSettle", "facts"]);
  const { context, autoSettle = false, facts } = options;
  return { context, automatic: automaticOf(autoSettle), facts: factsOf(facts) };
}

/** How a basket settles by itself; undefined if it does not. */
function automaticOf(autoSettle) {
  if (autoSettle === false) return undefined;
  refuseUnknown(autoSettle, ["debounceMs", "retryMs"], "autoSettle.");
  const { debounceMs = DEBOUNCE_MS, retryMs = RETRY_MS } = autoSettle === true ? {} : (autoSettle ?? {});
  if (!isPause(debounceMs) || (autoSettle !== true && typeof autoSettle !== "object")) {
    throw invalidOption("autoSettle", "expected true, false or { debounceMs, retryMs }");
  }
  if (Array.isArray(retryMs) && retryMs.every(isPause)) return { debounceMs, retryMs: [...retryMs] };
  throw invalidOption("autoSettle.retryMs", "expected a list of pauses in ms");
}

const isPause = (ms) => typeof ms === "number" && ms >= 0 && ms <= MOST_TIMER_MS;
