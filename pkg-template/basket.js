import { BasketModel, NEW, productsOf } from "./basket-model.js";
import { PricingError, refusing } from "./error.js";
import { ChangeEvents, Listeners, report } from "./listeners.js";
import { invalidOption, refuseUnknown } from "./options.js";
import { MOST_TIMER_MS } from "./runtime.js";
import { Settling } from "./settling.js";
import { asJson } from "./unknown.js";
import { requestId } from "./wasm/order_cost.js";

/** `using` calls the method of this name. Older runtimes do not have the symbol. */
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const DEBOUNCE_MS = 150;

/** An order that is being edited. See `Basket` in index.d.ts. */
export class Basket extends EventTarget {
  #model;
  #settling;
  #listeners = new Listeners();
  /** Undefined until somebody listens. */
  #events;
  #onFree;
  #isFreed = false;
  #initial;

  /** Bound: a framework may call it without the basket. */
  subscribe = (listener) => {
    if (typeof listener !== "function") throw refusal("Invalid listener: expected a function", "listener");
    return this.#listeners.add(listener, () => this.snapshot);
  };

  /** `pricing` returns the `Pricing` of the current module instance. */
  constructor(pricing, sources, order, options, onFree) {
    super();
    const { context, debounceMs } = refusing(() => readOptions(options ?? {}), requestId);
    this.#onFree = onFree;
    this.#model = new BasketModel(pricing, order);
    this.#initial = this.#model.snapshot;
    const onChange = (rest) => this.#show(rest);
    this.#settling = new Settling(this.#model, sources, { context, debounceMs, onChange });
    this.#settling.edited();
    // Vue makes no proxy of it, through which its private fields would be out of reach.
    Object.preventExtensions(this);
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

  addEventListener(type, ...rest) {
    if (type === "change" && !this.#isFreed) this.#events ??= new ChangeEvents(this);
    super.addEventListener(type, ...rest);
  }

  setQuantity(line, quantity) {
    return this.#edit(() => this.#model.setQuantity(line, quantity));
  }

  addProduct(product) {
    return this.insertProduct(this.rows.length, product);
  }

  insertProduct(line, product) {
    const added = productOf(product);
    return this.#edit(() => {
      const index = line === this.rows.length ? line : this.#model.checkedIndex(line);
      return this.#splice(index, 0, added);
    });
  }

  updateProduct(line, patch) {
    const fields = patchOf(patch);
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
    const next = asJson(order);
    return this.#edit(() => {
      throwWithoutList(next);
      return this.#model.replace(next);
    });
  }

  refresh(line) {
    return this.#edit(() => this.#model.enter("refresh", line === undefined ? undefined : this.#model.indexOf(line)));
  }

  async settle(call) {
    this.#throwIfFreed();
    return JSON.parse(await this.#settling.settle(call ?? {}));
  }

  free() {
    if (this.#isFreed) return;
    // Set before the abort: a listener may call free() again.
    this.#isFreed = true;
    this.#events?.end();
    this.#settling.free(new Error("The basket was freed"));
    this.#model.free();
    this.#onFree();
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
    const part = asJson({ [key]: value });
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
    this.#settling.dropUseless();
    this.#show(() => this.#settling.edited());
  }

  /** Makes the next snapshot. `then` runs before anybody hears of it. */
  #show(then) {
    if (this.#isFreed) return;
    const before = this.snapshot;
    this.#model.show(this.#settling.isOut);
    then();
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

const productOf = (product) => asJson({ productList: [sent(product)] }).productList[0];

/** The fields of a patch: `undefined` leaves a field, `null` resets it. NaN if the patch is none. */
function patchOf(patch) {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return NaN;
  if (typeof patch.toJSON === "function") return patchOf(patch.toJSON(""));
  const fields = Object.entries(patch).filter(([, value]) => value !== undefined);
  return productOf(Object.fromEntries(fields.map(([key, value]) => [key, value === null ? null : sent(value)])));
}

function patched(product, fields) {
  if (Number.isNaN(fields)) return NaN;
  const next = { ...product, ...fields };
  for (const [key, value] of Object.entries(fields)) if (value === null) delete next[key];
  return next;
}

/** A `productList` may be empty. One that was forgotten must not empty a basket. */
function throwWithoutList(order) {
  if (typeof order !== "object" || order === null || Array.isArray(order) || (order.productList ?? null) !== null) return;
  throw refusal("Invalid order: productList: expected an array", "productList");
}

const refusal = (message, path) =>
  new PricingError({ code: "VALIDATION_ERROR", message, path, retryable: false }, requestId());

function readOptions(options) {
  refuseUnknown(options, ["context", "autoSettle"]);
  const { context, autoSettle = false } = options;
  if (autoSettle === false) return { context };
  refuseUnknown(autoSettle, ["debounceMs"], "autoSettle.");
  const { debounceMs = DEBOUNCE_MS } = autoSettle === true ? {} : (autoSettle ?? {});
  const isPause = typeof debounceMs === "number" && debounceMs >= 0 && debounceMs <= MOST_TIMER_MS;
  if (!isPause || (autoSettle !== true && typeof autoSettle !== "object")) {
    throw invalidOption("autoSettle", "expected true, false or { debounceMs }");
  }
  return { context, debounceMs };
}
