// The basket in the module, the order that it was made from, and the snapshot of both.
import { asRead, instanceId, knownPart, problemOf, refusing, release, withoutUnknown, withPricingErrors } from "../core/index.js";
import { encoded, jsonText } from "../shared/index.js";
import { BasketHandle, requestId } from "../wasm/order_cost.js";
import { isEqual, sameList, sameOr, share, withSteps } from "./snapshot.js";

const decoder = new TextDecoder();

/** The origin of a product that an edit adds. */
export const NEW = 2 ** 32 - 1;

/** @type {readonly never[]} */
const NOTHING = Object.freeze([]);

/** The parts of a snapshot that the module writes as they are. */
const PARTS = ["totals", "pending", "blocked", "shipping", "validVouchers", "invalidVouchers", "discountResult", "takenOff"];

/**
 * @typedef {import("order-cost").BasketSnapshot} BasketSnapshot
 * @typedef {{ -readonly [Part in keyof BasketSnapshot]: BasketSnapshot[Part] }} Unfrozen
 * @typedef {{ takenOff?: readonly number[] }} TakenOff what each discount takes off
 * @typedef {Partial<Unfrozen> & TakenOff & Pick<Unfrozen, "problems" | "pending" | "blocked" | "slots">} Parts the first `read` brings all
 */

export class BasketModel {
  /**
   * The frozen order, as its edits wrote it.
   * @type {Readonly<{ productList?: readonly import("order-cost").ProductInput[], couponCodeList?: readonly string[] }>}
   */
  order = Object.freeze({});
  snapshot;
  /** Whether a call is out that the basket needs. */
  isOut = false;
  #pricing;
  #facts;
  #live;
  /** The id of the module's instance that holds the basket. */
  #instance;
  #keys = [];
  #lastKey = 0;
  /**
   * The rows in the order of the products; those of an edit are not read yet.
   * @type {readonly (import("order-cost").BasketRow | undefined)[]}
   */
  #rows = NOTHING;
  /**
   * The rows as they were read last.
   * @type {readonly import("order-cost").BasketRow[]}
   */
  #readRows = NOTHING;
  #haveRowsMoved = false;
  /**
   * What the snapshots of one state of the module share: its steps, once somebody has asked.
   * @type {{ list?: readonly unknown[], read?: () => readonly unknown[] }}
   */
  #steps = { list: NOTHING };
  #stepsOrder;
  /** @type {Parts} */
  #parts = { problems: NOTHING, pending: NOTHING, blocked: NOTHING, slots: NOTHING };
  #settledTotals = null;
  /** The texts of the slots' deliveries. */
  #slots = { text: "", unwritable: false };
  /** The problems that the module listed last: the order's, and one of each slot that has some. */
  #listed = NOTHING;
  /** For each slot the number of its problem among theirs, if it has one. */
  #slotProblems = NOTHING;
  #areSlotsOpen = false;
  /** The problems by their texts. */
  #problems = new Map();
  /** Those that may be asked again: the host's functions by the numbers of the calls. */
  failures = new Map();

  /** `pricing` returns the `Pricing` of the current module instance. `kept`: see `Kept`. */
  constructor(pricing, facts, order, kept) {
    this.#pricing = pricing;
    this.#facts = facts;
    const next = this.#asRead(plain(this.#make(order)));
    const origins = productsOf(next).map(() => NEW);
    this.#take(next, origins);
    facts.stock(this);
    if (kept) this.#restore(kept);
    this.read();
    this.publish(false);
  }

  #restore({ settledTotals, own }) {
    this.#settledTotals = settledTotals;
    this.#facts.takeVouchers(own.filter(([kind]) => kind === "vouchers"));
    for (const [kind, ...answer] of own) if (kind === "coupons") this.enter("restoreCoupons", ...answer);
  }

  /** What belongs to the customer, see `Kept`. */
  own() {
    return JSON.parse(decoder.decode(this.enter("kept")));
  }

  /** What has yet to be known, what waits for a problem to be solved, and the problems, as the model has read them. */
  get pending() {
    return this.#parts.pending;
  }

  /** Whether anything has yet to be known, also of the slots. */
  get isOpen() {
    return this.pending.length > 0 || this.#areSlotsOpen;
  }

  get blocked() {
    return this.#parts.blocked;
  }

  get problems() {
    return this.#parts.problems;
  }

  get error() {
    return this.problems[0] ?? null;
  }

  /** Runs an entry of the basket in the module. */
  enter(entry, a, b, c) {
    return withPricingErrors(undefined, () => this.#open[entry](a, b, c));
  }

  /**
   * Replaces the order. `originsOf` returns for each product its index before the edit, or `NEW`. Returns whether
   * anything has changed. Throws and changes nothing if the order is invalid.
   */
  edit(order, originsOf) {
    // Before the order is written: to make the basket again would take the same scratch memory.
    const live = this.#open;
    const { next, origins, isChanged } = this.#write(order, (text, unwritable, written) => {
      const next = plain(written);
      const origins = originsOf(productsOf(next));
      return { next, origins, isChanged: live.edit(text, unwritable, Uint32Array.from(origins)) };
    });
    const read = this.#asRead(next);
    if (!isChanged && !this.#differsInUnknown(read)) return false;
    this.#take(read, origins);
    return true;
  }

  /** Appends products, which came from JSON. */
  append(products) {
    const before = productsOf(this.order);
    if (this.#isAppended(products)) {
      const productList = Object.freeze([...before, ...products.map((product) => share(undefined, product))]);
      this.order = Object.freeze({ ...this.order, productList });
      this.#rows = [...this.#rows, ...products.map(() => undefined)];
      for (const _ of products) this.#keys.push(this.#nextKey());
      return true;
    }
    const origins = [...before.keys(), ...products.map(() => NEW)];
    return this.edit({ ...this.order, productList: [...before, ...products] }, () => origins);
  }

  /** Appends them in the module. Returns whether it could: most products are plain, and the module need not read all. */
  #isAppended(products) {
    if (products.length === 0 || !Array.isArray(this.order.productList) || this.#isLenient) return false;
    // Before the products are written, as in `edit`.
    const live = this.#open;
    const { text, unwritable } = jsonText({ productList: products });
    if (unwritable) return false;
    const bytes = encoded(text);
    return withPricingErrors(undefined, () => live.append(bytes));
  }

  #nextKey() {
    this.#lastKey += 1;
    return `line${this.#lastKey}`;
  }

  /** Replaces the order. Each product keeps the key of a product with the same code, in the order of both. */
  replace(order) {
    const indices = new Map();
    productsOf(this.order).forEach(({ cprcode }, index) => {
      if (!indices.has(cprcode)) indices.set(cprcode, []);
      indices.get(cprcode).push(index);
    });
    const codeOf = (product) => (typeof product?.cprcode === "string" ? Number(product.cprcode) : product?.cprcode);
    const origin = (product) => indices.get(codeOf(product))?.shift() ?? NEW;
    return this.edit(order, (products) => products.map(origin));
  }

  /** `quantity` is a number. */
  setQuantity(line, quantity) {
    const index = this.indexOf(line);
    if (!this.enter("setQuantity", index, quantity)) return false;
    // V8 copies a frozen array with slice() 40 times as slowly.
    const productList = [...productsOf(this.order)];
    // Without the sign of -0, as in JSON.
    productList[index] = Object.freeze({ ...productList[index], quantity: quantity + 0 });
    this.order = Object.freeze({ ...this.order, productList: Object.freeze(productList) });
    return true;
  }

  /** Replaces the slots. Returns whether they are others. Throws and changes nothing if one is invalid. */
  setSlots(slots) {
    // First: in a new module it makes the basket again, also where the slots stay the same.
    const live = this.#open;
    if (slots.text === this.#slots.text) return false;
    giveSlots(live, slots);
    this.#slots = slots;
    return true;
  }

  /** The index of a line, which is an index or a key. Throws if the order has no such line. */
  checkedIndex(line) {
    const index = this.indexOf(line);
    this.enter("checkLine", index);
    return index;
  }

  /** The same for an entry that checks it: a number, but of no line if the order has no such line. */
  indexOf(line) {
    const index = typeof line === "string" ? this.#keys.indexOf(line) : line;
    // WebAssembly itself would convert `true` to 1.
    return typeof index === "number" ? index : NaN;
  }

  /** The priced order as JSON text; empty if something is unknown. Throws what `calculate` would throw. */
  response() {
    return decoder.decode(this.enter("response"));
  }

  /** The steps that lead to the totals. */
  explain() {
    return JSON.parse(decoder.decode(this.enter("explain")));
  }

  /** Reads what has changed in the module. */
  read() {
    const changes = JSON.parse(decoder.decode(this.enter("changes")));
    const { rows: changed, problems: haveProblemsChanged = false, slots, areSlotsOpen, isOut } = changes;
    this.isOut = isOut;
    this.#areSlotsOpen = areSlotsOpen;
    for (const name of PARTS) if (name in changes) this.#parts[name] = share(this.#parts[name], changes[name]);
    if (slots) this.#slotProblems = slots.map(({ problem }) => problem);
    if (haveProblemsChanged) this.#listed = this.#nextProblems();
    if (slots || haveProblemsChanged) this.#shareProblems(slots ?? this.#parts.slots);
    // `rows`, `areSlotsOpen` and `isOut` are always there.
    const isMore = Object.keys(changes).length > 3;
    if (changed.length > 0 || isMore || this.order !== this.#stepsOrder) this.#beginSteps();
    this.#rows = this.#nextRows(changed, haveProblemsChanged);
    this.#parts.coupons = this.#nextCoupons();
  }

  /** The facts that it names, by their places in its store, if they are others than at the last call. */
  takeNames() {
    return this.enter("names");
  }

  /** Tells the problems of the order from those of the slots. */
  #shareProblems(slots) {
    const { problems, slots: before } = this.#parts;
    const count = this.#listed.length - this.#slotProblems.filter((problem) => problem !== undefined).length;
    this.#parts.problems = sameList(problems, this.#listed.slice(0, count));
    const next = slots.map(({ shipping, cost }, index) =>
      share(before[index], { shipping, cost, problem: this.#listed[count + this.#slotProblems[index]] ?? null }),
    );
    this.#parts.slots = sameList(before, next);
  }

  /** The outcome of each code. What the service has not answered for the basket as it is now is open. */
  #nextCoupons() {
    const codes = this.order.couponCodeList ?? NOTHING;
    if (codes.length === 0) return NOTHING;
    const { pending, blocked, problems, discountResult, takenOff } = /** @type {Required<Parts>} */ (this.#parts);
    const { discounts, failedCoupons, error } = discountResult;
    const hasFailed = blocked.length > 0 || this.#rows.length === 0 || problems.some(({ code }) => code === "COUPON_SERVICE_FAILED");
    const open = pending.includes("coupons") ? "waiting" : hasFailed && "notChecked";
    const coupons = new Map();
    /** @type {(code: string, state: import("order-cost").CouponState, amount?: number, reason?: string | null) => void} */
    const tell = (code, state, amount = 0, reason = null) => coupons.set(code, { code, state: open || state, amount, reason });
    for (const code of codes) tell(code, "withoutEffect");
    for (const code of failedCoupons) tell(code, "refused", 0, open ? null : reasonOf(error, code));
    discounts.forEach(({ coupon }, index) => {
      if (takenOff[index] > 0) tell(coupon, "accepted", takenOff[index]);
      else if (!coupons.has(coupon)) tell(coupon, "withoutEffect");
    });
    return share(this.snapshot?.coupons, [...coupons.values()]);
  }

  /** Older snapshots get no steps any more: the module has moved on. */
  #beginSteps() {
    const before = this.#steps;
    before.list ??= NOTHING;
    this.#stepsOrder = this.order;
    this.#steps = { read: () => share(before.list, this.explain()) };
  }

  /** Makes the snapshot of what was read. It stays the same object if nothing has changed. */
  publish(isSettling) {
    const { problems, pending, blocked, totals, shipping, validVouchers, invalidVouchers, discountResult, coupons, slots } = this.#parts;
    const status = problems.length > 0 ? "failed" : pending.length > 0 ? "pending" : "current";
    if (status === "current") this.#settledTotals = sameOr(this.#settledTotals, totals);
    const settledTotals = this.#settledTotals;
    const { order, error } = this;
    const rows = this.#rows;
    // Each by its name: to spread the parts would take longer than all the rest.
    const next = {
      status,
      isSettling,
      pending,
      blocked,
      problems,
      error,
      order,
      totals,
      settledTotals,
      rows,
      shipping,
      validVouchers,
      invalidVouchers,
      discountResult,
      coupons,
      slots,
    };
    this.snapshot = withSteps(
      sameOr(this.snapshot, next, (made) => made),
      this.#steps,
    );
  }

  /** Gives its needs up: nobody answers it any more. */
  leave() {
    if (this.#instance === instanceId()) this.enter("leave");
  }

  free() {
    this.#steps.list ??= NOTHING;
    release(this.#live, this.#instance);
  }

  /** The basket in the module, made again if its instance was replaced. */
  get #open() {
    if (this.#instance === instanceId()) return this.#live;
    this.#make(this.order);
    this.#parts.problems = sameList(this.problems, []);
    this.#listed = NOTHING;
    this.#problems.clear();
    this.failures.clear();
    return this.#live;
  }

  #make(order) {
    const facts = this.#facts.handle;
    const made = this.#write(order, (text, unwritable, written) => {
      const live = new BasketHandle(this.#pricing(), facts, text, unwritable);
      return { live, written };
    });
    if (this.#slots.text !== "") giveSlots(made.live, this.#slots);
    this.#live = made.live;
    this.#instance = instanceId();
    return made.written;
  }

  /** Passes the text of an order on, without unknown keys if these are the reason why it is refused. Returns what `pass` does. */
  #write(order, pass) {
    const written = jsonText(order);
    const take = ({ text, unwritable }) => {
      // Encodes outside the entry: there the error for a text that is too large does not count as damage.
      const bytes = encoded(text);
      return withPricingErrors(written, () => pass(bytes, unwritable, written));
    };
    return refusing(() => withoutUnknown(written, order, take), requestId);
  }

  /** Whether its orders may have values of another type (D49). */
  get #isLenient() {
    return this.#pricing().isLenient;
  }

  /** The order that the module has just read, with the values as it has read them. */
  #asRead(order) {
    return this.#isLenient ? asRead(order, JSON.parse(decoder.decode(this.enter("echo")))) : order;
  }

  /** The module does not see unknown keys: their values change the order, but nothing that counts. */
  #differsInUnknown(next) {
    return !isEqual(this.order, next) && isEqual(knownPart(this.order), knownPart(next));
  }

  #take(next, origins) {
    const before = productsOf(this.order);
    const isInPlace = origins.length === before.length && origins.every((origin, index) => origin === index);
    const productList = isInPlace ? before : Object.freeze(origins.map((origin) => before[origin]));
    const aligned = isInPlace ? this.order : Object.freeze({ ...this.order, productList });
    this.order = share(aligned, next);
    this.#keys = origins.map((origin) => this.#keys[origin] ?? this.#nextKey());
    this.#haveRowsMoved ||= !isInPlace;
    this.#rows = origins.map((origin) => this.#rows[origin]);
  }

  #nextRows(changed, haveProblemsChanged) {
    const previous = this.#readRows;
    if (changed.length === 0 && !haveProblemsChanged && !this.#haveRowsMoved) return previous;
    const rows = /** @type {import("order-cost").BasketRow[]} */ ([...this.#rows]);
    const fields = new Map(changed);
    const problems = new Map();
    for (const problem of this.#parts.problems) {
      if (problem.subject?.line !== undefined) problems.set(problem.subject.line, problem);
    }
    const indices = haveProblemsChanged || this.#haveRowsMoved ? this.#keys.keys() : fields.keys();
    let isSame = previous.length === rows.length;
    for (const index of indices) {
      const row = rows[index];
      const problem = problems.get(index) ?? null;
      const next = fields.get(index);
      if (next || row.problem !== problem) {
        rows[index] = share(row, { key: this.#keys[index], ...(next ?? row), problem });
      }
      isSame &&= rows[index] === previous[index];
    }
    this.#haveRowsMoved = false;
    this.#readRows = isSame ? previous : Object.freeze(rows);
    return this.#readRows;
  }

  #nextProblems() {
    const problems = this.enter("problems");
    const before = this.#problems;
    this.#problems = new Map();
    const next = problems.map((problem) => {
      const text = JSON.stringify(problem);
      // Slots may have the same one.
      const same = this.#problems.get(text) ?? before.get(text) ?? this.#problem(problem);
      this.#problems.set(text, same);
      return same;
    });
    const failed = problems.filter(({ call, retryable }) => call !== undefined && retryable);
    // Only the delivery zones are a function of nobody's `Host`, so that their problem names none.
    this.failures = new Map(failed.map(({ call, subject }) => [call, subject?.lookup ?? "deliveryZones"]));
    return next;
  }

  #problem(facts) {
    const failure = this.#facts.failure(facts.call);
    return problemOf({ ...facts, cause: failure?.cause }, failure?.requestId ?? requestId());
  }
}

/** The service's `error` may be any JSON: a text, or an object with a text of this code or a `message`. */
function reasonOf(error, code) {
  const texts = [error, error?.[code], error?.message].filter((text) => typeof text === "string");
  return texts[0] ?? null;
}

/** Gives a basket in the module its slots. */
function giveSlots(live, { text, unwritable }) {
  // Encodes outside the entry, as `BasketModel` does.
  const bytes = encoded(text);
  withPricingErrors(undefined, () => live.setSlots(bytes, unwritable));
}

/** The products of a plain order, which may be wrong. */
export const productsOf = (order) => (Array.isArray(order?.productList) ? order.productList : NOTHING);

/** An order as JSON.stringify writes it. */
function plain({ text, nulled = text }) {
  return text === "" ? undefined : JSON.parse(nulled);
}
