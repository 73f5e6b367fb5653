import { calculate, named } from "./calculation.js";
import { PricingError, pricingError } from "./error.js";
import { jsonText } from "./json.js";
import { LiveBasket, requestId } from "./wasm/order_cost.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The questions, by the bits of what is unknown. */
const QUESTIONS = ["prices", "delivery", "coupons", "vouchers"];

/** `using` calls it, where there is such a thing. */
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** More rounds than anybody edits: a host that changes the basket whenever it is asked would go on for ever. */
const MAX_ROUNDS = 100;

/** See `Basket` in index.d.ts: a face of the basket in the module. */
export class Basket extends EventTarget {
  #live;
  #host;
  #deadlineMs;
  #onFree;
  #error = null;
  #settling;
  #freed = new AbortController();
  #heard; // what the last event told
  #isTelling = false;

  constructor(pricing, host, order, onFree) {
    super();
    const written = jsonText(order);
    this.#live = named(written, () => new LiveBasket(pricing, encoder.encode(written.text), written.unwritable));
    this.#host = host;
    this.#deadlineMs = pricing.deadlineMs;
    this.#onFree = onFree;
    this.#heard = { version: this.#live.version, error: null };
    this.#changed();
  }

  get order() {
    return parsed(this.#open.order());
  }

  get totals() {
    return totals(this.#open.totals());
  }

  get rows() {
    return parsed(this.#open.rows());
  }

  get status() {
    if (this.error) return "failed";
    return this.#open.unknown() === 0 ? "current" : "pending";
  }

  get pending() {
    const unknown = this.#open.unknown();
    return QUESTIONS.filter((_, bit) => unknown & (1 << bit));
  }

  get error() {
    return this.#error;
  }

  setQuantity(line, quantity) {
    return this.#change((live) => live.setQuantity(number(line), number(quantity)));
  }

  addProduct(product) {
    return this.#changeTo(product, (live, text, unwritable) => live.addProduct(text, unwritable));
  }

  removeProduct(line) {
    return this.#change((live) => live.removeProduct(number(line)));
  }

  setShipping(shipping) {
    return this.#set("shipping", shipping);
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
    this.#open.forget();
    this.#changed();
    return this.totals;
  }

  settle() {
    this.#settling ??= this.#settle().finally(() => (this.#settling = undefined));
    return this.#settling;
  }

  free() {
    if (!this.#live) return;
    this.#freed.abort(new Error("The basket was freed"));
    this.#live.free();
    this.#live = undefined;
    this.#onFree();
  }

  /** The pricer has other zones. For the pricer only. */
  static takeZones(basket, pricing) {
    basket.#open.takeZones(pricing);
    basket.#changed();
  }

  [DISPOSE]() {
    this.free();
  }

  async #settle() {
    const live = this.#open;
    this.#error = null;
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      const { revision } = live;
      const { response, error } = await this.#round(live);
      if (error && !this.#live) throw error;
      // What has been edited meanwhile makes another round, whatever came of this one.
      if (this.#open.revision === revision) return this.#settled(response, error);
    }
    const message = `The basket changed in each of ${MAX_ROUNDS} rounds of look-ups`;
    return this.#settled(undefined, new PricingError({ code: "INTERNAL", message, retryable: true }, requestId()));
  }

  async #round(live) {
    const call = { signal: this.#freed.signal };
    try {
      const response = await calculate(() => live.start(), this.#host, this.#deadlineMs, call, undefined, () => this.#tell());
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
    if (this.#live) return this.#live;
    const message = "The basket was freed: make another one with pricer.basket()";
    throw new PricingError({ code: "VALIDATION_ERROR", message, retryable: false }, requestId());
  }

  #set(key, value) {
    return this.#changeTo(value, (live, text, unwritable) => live.set(`"${key}"`, text, unwritable));
  }

  #changeTo(value, change) {
    const written = jsonText(value);
    return this.#change((live) => change(live, encoder.encode(written.text), written.unwritable), written);
  }

  #change(change, written) {
    const live = this.#open;
    const { revision } = live;
    const values = named(written, () => change(live));
    if (live.revision !== revision) this.#changed();
    return totals(values);
  }

  #changed() {
    const overflow = this.#live.overflow();
    // What failed before was an older basket.
    this.#error = overflow === undefined ? null : pricingError(overflow, requestId());
    this.#tell();
  }

  /** Fires "change" when this turn's work is done, if there is something new. */
  #tell() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      if (!this.#live) return;
      const { version } = this.#live;
      const isNew = version !== this.#heard.version || this.#error !== this.#heard.error;
      this.#heard = { version, error: this.#error };
      if (isNew) this.dispatchEvent(new Event("change"));
    });
  }
}

/** What is no number is none that the module would take for one. */
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
