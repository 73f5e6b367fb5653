import { calculate, withPricingErrors } from "./calculation.js";
import { PricingError, aborted, pricingError } from "./error.js";
import { enter, instanceId, release } from "./instance.js";
import { jsonText } from "./json.js";
import { withoutUnknown } from "./unknown.js";
import { BasketHandle, requestId } from "./wasm/order_cost.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The questions. The index of each is its bit in `BasketHandle.unknown()`. */
const QUESTIONS = ["prices", "delivery", "coupons", "vouchers"];

/** `using` calls the method of this name. Older runtimes do not have the symbol. */
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Users need far fewer rounds. Without a limit, a host that edits the basket in each callback would loop for ever. */
const MAX_ROUNDS = 100;

/** The JavaScript side of a basket in the module. See `Basket` in index.d.ts. */
export class Basket extends EventTarget {
  #live;
  /** The id of the module instance that holds the basket. */
  #instance;
  /** The order's text and the quantities set since then: another instance recreates the basket from them. */
  #saved;
  #quantities = new Map();
  #pricing;
  #host;
  #deadlineMs;
  #onFree;
  #error = null;
  #settling;
  #freed = new AbortController();
  #heard; // what the last `change` event reported
  #isTelling = false;

  /** `pricing` returns the `Pricing` of the current module instance. */
  constructor(pricing, host, order, onFree) {
    super();
    this.#pricing = pricing;
    this.#host = host;
    this.#onFree = onFree;
    const written = jsonText(order);
    withoutUnknown(written, order, "order", () => this.#make(encoder.encode(written.text), written));
    this.#deadlineMs = pricing().deadlineMs;
    this.#heard = { version: this.#live.version, error: null };
    this.#changed();
  }

  get order() {
    return parsed(this.#read((live) => live.order()));
  }

  get totals() {
    return totals(this.#read((live) => live.totals()));
  }

  get rows() {
    return parsed(this.#read((live) => live.rows()));
  }

  get status() {
    if (this.error) return "failed";
    // Totals that overflow are not those of `calculate`, even while `error` does not report the overflow yet.
    const isCurrent = this.#read((live) => live.unknown() === 0 && live.overflow() === undefined);
    return isCurrent ? "current" : "pending";
  }

  get pending() {
    const unknown = this.#read((live) => live.unknown());
    return QUESTIONS.filter((_, bit) => unknown & (1 << bit));
  }

  get error() {
    return this.#open && this.#error;
  }

  setQuantity(line, quantity) {
    const totals = this.#change((live) => live.setQuantity(number(line), number(quantity)));
    this.#quantities.set(line, quantity);
    return totals;
  }

  addProduct(product) {
    return this.#changeTo(product, "product", (live, text, unwritable) => live.addProduct(text, unwritable));
  }

  removeProduct(line) {
    return this.#edit((live) => live.removeProduct(number(line)));
  }

  setShipping(shipping) {
    return this.#set("shipping", shipping, "shipping");
  }

  setCoupons(codes) {
    return this.#set("couponCodeList", codes);
  }

  setVouchers(ids) {
    return this.#set("voucherId", ids);
  }

  setOwner(ownerId) {
    return this.#set("ownerId", ownerId);
  }

  setBranch(branchId) {
    return this.#set("branchId", branchId);
  }

  refresh() {
    return this.#change((live) => live.forget());
  }

  settle() {
    if (this.#settling) return this.#settling;
    let begin;
    // Set before the host is called: a callback may call settle() itself.
    const settling = (this.#settling = new Promise((resolve) => (begin = resolve)));
    begin(this.#settle());
    return settling;
  }

  free() {
    const live = this.#live;
    if (!live) return;
    // Cleared before the abort: an abort listener may call free() again.
    this.#live = undefined;
    this.#freed.abort(new Error("The basket was freed"));
    release(live, this.#instance);
    this.#onFree();
  }

  /** Takes the pricer's new delivery zones. Only the pricer calls it. */
  static takeZones(basket, pricing) {
    basket.#read((live) => live.takeZones(pricing));
    basket.#changed();
  }

  [DISPOSE]() {
    this.free();
  }

  async #settle() {
    try {
      this.#error = null;
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
        const live = this.#open;
        const { revision } = live;
        const { response, error } = await this.#round(live);
        if (!this.#live) throw pricingError(aborted(this.#freed.signal.reason), requestId());
        if (this.#instance !== instanceId()) this.#makeAgain();
        // An edit during the round starts another round, whether this one failed or not.
        const isReplaced = live !== this.#live;
        if (isReplaced || live.revision === revision) return this.#settled(response, error);
      }
      const message = `The basket changed in each of ${MAX_ROUNDS} rounds of look-ups`;
      return this.#settled(undefined, new PricingError({ code: "INTERNAL", message, retryable: true }, requestId()));
    } finally {
      // Cleared before the promise settles: the caller may then edit and settle again.
      this.#settling = undefined;
    }
  }

  async #round(live) {
    const call = { signal: this.#freed.signal };
    try {
      const start = (job) => job.start((raw) => live.start(raw));
      const response = await calculate(start, this.#host, this.#deadlineMs, call, { onProgress: () => this.#tell() });
      return { response };
    } catch (error) {
      return { error };
    }
  }

  #settled(response, error) {
    if (error) this.#error = error;
    this.#tell();
    if (error) throw error;
    return parsed(response);
  }

  get #open() {
    if (!this.#live) throw freedError();
    if (this.#instance !== instanceId()) this.#makeAgain();
    return this.#live;
  }

  #read(read) {
    const live = this.#open;
    return withPricingErrors(undefined, () => read(live));
  }

  #make(order, written) {
    const pricing = this.#pricing();
    this.#live = withPricingErrors(written, () => new BasketHandle(pricing, order, written?.unwritable ?? false));
    this.#instance = instanceId();
    this.#save();
  }

  /** Recreates the basket in the instance that replaced a damaged one. The facts are lost with the old instance. */
  #makeAgain() {
    const quantities = [...this.#quantities];
    this.#make(this.#saved);
    for (const [line, quantity] of quantities) this.setQuantity(line, quantity);
    this.#heard = {};
    this.#tell();
  }

  #save() {
    this.#saved = enter(() => this.#live.order());
    this.#quantities.clear();
  }

  #set(key, value, kind) {
    return this.#changeTo(value, kind, (live, text, unwritable) => live.set(`"${key}"`, text, unwritable));
  }

  #changeTo(value, kind, change) {
    const written = jsonText(value);
    return withoutUnknown(written, value, kind, ({ text, unwritable }) => {
      const bytes = encoder.encode(text);
      return this.#edit((live) => change(live, bytes, unwritable), written);
    });
  }

  /** For edits of more than a quantity: saves the new text of the order. */
  #edit(change, written) {
    const totals = this.#change(change, written);
    this.#save();
    return totals;
  }

  #change(change, written) {
    const live = this.#open;
    const { revision } = live;
    const values = withPricingErrors(written, () => change(live));
    if (live.revision !== revision) this.#changed();
    return totals(values);
  }

  #changed() {
    const overflow = this.#live.overflow();
    // An earlier failure belongs to the basket before this edit.
    this.#error = overflow === undefined ? null : new PricingError(overflow, requestId());
    this.#tell();
  }

  /** Fires "change" in a microtask, after the running code, if there is something new. */
  #tell() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      if (!this.#live) return;
      const version = this.#version();
      const isNew = version !== this.#heard.version || this.#error !== this.#heard.error;
      this.#heard = { version, error: this.#error };
      if (isNew) this.dispatchEvent(new Event("change"));
    });
  }

  /** Undefined if the basket cannot be recreated. The listener gets the reason when it reads the basket. */
  #version() {
    try {
      return this.#read((live) => live.version);
    } catch {
      return undefined;
    }
  }
}

function freedError() {
  const message = "The basket was freed: make another one with pricer.basket()";
  return new PricingError({ code: "VALIDATION_ERROR", message, path: "basket", retryable: false }, requestId());
}

/** NaN for anything but a number: WebAssembly itself would convert `"2"` or `true` to a number. */
const number = (value) => (typeof value === "number" ? value : NaN);

const parsed = (bytes) => JSON.parse(decoder.decode(bytes));

function totals(values) {
  return {
    subTotal: values[0],
    grandTotal: values[1],
    totalExcludeControlledProducts: values[2],
    totalWeight: values[3],
    deliveryFee: values[4],
    discountedDeliveryFee: values[5],
    expressShippingCost: values[6],
    shippingFee: values[7],
    shippingPrice: values[8],
    cartDiscount: values[9],
    bogoDiscount: values[10],
    two4Discount: values[11],
    percentageDiscount: values[12],
    shippingDiscount: values[13],
    voucherDiscount: values[14],
    totalDiscount: values[15],
    isFreeShipping: values[16] === 1,
  };
}
