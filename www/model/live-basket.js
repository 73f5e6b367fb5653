const PAUSE_MS = 120;

/**
 * The page's basket. Totals follow every edit at once; look-ups start shortly after.
 * Fires "change" after every change.
 */
export class LiveBasket extends EventTarget {
  #pricer;
  #basket;
  #timer;
  #isSettling = false;
  #read = {}; // cached until the next change: the basket's getters return copies
  #edits = 0;
  #settled; // how many edits there were when `priced` was

  /** The last order that was priced with every answer; null before the first. */
  priced = null;

  /** @param {import("order-cost").Pricer} pricer */
  constructor(pricer, order) {
    super();
    this.#pricer = pricer;
    this.replace(order);
  }

  get order() {
    return (this.#read.order ??= this.#basket.order);
  }

  get totals() {
    return (this.#read.totals ??= this.#basket.totals);
  }

  get rows() {
    return (this.#read.rows ??= this.#basket.rows);
  }

  /** Whether `priced` belongs to the current order. */
  get isPriced() {
    return this.#settled === this.#edits && this.status === "current";
  }

  get status() {
    return this.#basket.status;
  }

  get pending() {
    return this.#basket.pending;
  }

  get error() {
    return this.#basket.error;
  }

  /** Replaces the order. */
  replace(order) {
    this.#basket?.free();
    this.#edits += 1;
    this.#read = {};
    this.priced = null;
    const basket = this.#pricer.basket(order);
    this.#basket = basket;
    basket.addEventListener("change", () => this.#isOf(basket) && this.#onChange());
    this.#onChange();
  }

  /** @param {(basket: import("order-cost").Basket) => void} change one or more of its setters */
  edit(change) {
    this.#edits += 1;
    change(this.#basket);
    this.#read = {};
    this.#settleSoon();
  }

  /** Adds one unit of a product, with the first schedule. */
  add({ cprcode, th }) {
    const scheduleId = this.order.shipping?.scheduleList?.[0]?.scheduleId ?? 0;
    this.edit((basket) => basket.addProduct({ cprcode, productName: th, quantity: 1, scheduleId }));
  }

  /** Changes fields of the shipping. */
  ship(fields) {
    this.edit((basket) => basket.setShipping({ ...basket.order.shipping, ...fields }));
  }

  /** Gives a product another schedule. The product keeps its place: later products are removed and added again. */
  moveToSchedule(line, scheduleId) {
    const [moved, ...behind] = this.order.productList.slice(line);
    this.edit((basket) => {
      for (let i = behind.length; i >= 0; i -= 1) basket.removeProduct(line + i);
      for (const product of [{ ...moved, scheduleId }, ...behind]) basket.addProduct(product);
    });
  }

  /** Repeats the failed look-ups. */
  async retry() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#settle();
  }

  /** Repeats all look-ups. */
  refresh() {
    this.edit((basket) => basket.refresh());
  }

  #isOf(basket) {
    return this.#basket === basket;
  }

  #onChange() {
    this.#read = {};
    this.#settleSoon();
    this.dispatchEvent(new Event("change"));
  }

  /** Settles at once if nothing is missing, else after a pause. settle() itself includes edits made meanwhile. */
  #settleSoon() {
    const isPending = this.status === "pending";
    const isDue = isPending || (this.status === "current" && !this.isPriced && this.rows.length > 0);
    if (isDue && !this.#isSettling) this.#timer ??= setTimeout(() => this.retry(), isPending ? PAUSE_MS : 0);
  }

  async #settle() {
    const basket = this.#basket;
    this.#isSettling = true;
    try {
      const priced = await basket.settle();
      if (!this.#isOf(basket)) return;
      this.priced = priced; // settle() gives the newest order, edits made meanwhile included
      this.#settled = this.#edits;
    } catch {
      // The basket's status and error already say so.
    } finally {
      this.#isSettling = false;
      this.#onChange();
    }
  }
}
