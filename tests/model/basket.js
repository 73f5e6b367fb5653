import { decimalText, equals, fits, max, subtract, sum, ZERO } from "./decimal.js";
import { calculateDelivery } from "./delivery.js";
import { askCoupons, NO_DISCOUNTS } from "./discounts.js";
import { checkList } from "./facts.js";
import { Fault, failedLookup, LOOKUP_CODES } from "./fault.js";
import { readJson } from "./json.js";
import { distinct, handed, readOrder } from "./order.js";
import { lookUpPrices } from "./prices.js";
import { couponRequest, responseText } from "./response.js";
import { discountRows, priceRows, totalsAfterCoupons, totalsBeforeCoupons } from "./totals.js";
import { lookUpVouchers } from "./vouchers.js";

const TOTALS = [
  "subTotal",
  "grandTotal",
  "totalExcludeControlledProducts",
  "totalWeight",
  "deliveryFee",
  "discountedDeliveryFee",
  "expressShippingCost",
  "shippingFee",
  "shippingPrice",
  "cartDiscount",
  "bogoDiscount",
  "two4Discount",
  "percentageDiscount",
  "shippingDiscount",
  "voucherDiscount",
  "totalDiscount",
  "isFreeShipping",
];
const NOTHING = Object.fromEntries(TOTALS.map((name) => [name, name === "isFreeShipping" ? false : 0]));
const EMPTY = { status: "current", pending: [], blocked: [], problems: [], totals: NOTHING, rows: [], uncertain: new Set(), isEmpty: true };
/** The look-up that answers each kind of fact. */
const LOOKUPS = { prices: "lookupPrices", rates: "nationwideRate", zones: "deliveryZones", vouchers: "lookupVouchers" };
const KINDS = Object.keys(LOOKUPS);
const SOME_PRODUCT = { cprcode: 1, productName: "", quantity: 1 };
const NO_PRICE = { price: 0, weight: 0 };

/**
 * What a live basket shows, by the naive model: computed from scratch after every change from the order and from what
 * the host has answered. It is told of every call (`asked`) and of how it ended (`answered`, `failed`).
 *
 * A fact is `{ answer }`, or `{ fault }` for "not found" and for a wrong record; `isOld` after a refresh. A failed call
 * is `{ lookup, keys, fault }` and lasts until each of its keys is answered or no longer needed. Keys are
 * "<cprcode>/<branchId>", "<mode>/<postcode>", "zones" and voucher ids. Once a function has answered the zones they are
 * no fact any more, but `zones`.
 */
export class NaiveBasket {
  ids = []; // of the rows: as the basket's keys, but numbers
  slots = [];
  #nextId = 0;
  #facts = noFacts();
  #failures = [];
  #coupons; // the newest answer: { ids, codes, request, answer, isOld }
  #couponFailure; // { request, fault }
  #codes = []; // of the order
  #lost = new Set(); // the codes that it has lost since that answer, or since it had none
  #calls = new Set(); // those that are out
  #read;
  #readSlots;
  #shown;

  /** `asksZones`: a function gives the zones. */
  constructor(order, { options, zones, asksZones = false } = {}) {
    this.options = options;
    this.asksZones = asksZones;
    this.zones = zones;
    this.order = plain(order);
    this.ids = this.order.productList.map(() => this.#nextId++);
  }

  // ---- edits

  /** `argument` names lines by index. */
  apply(name, argument) {
    EDITS[name].call(this, ...argument);
    this.#changed();
  }

  insert(line, product) {
    this.order.productList.splice(line, 0, plain(product));
    this.ids.splice(line, 0, this.#nextId++);
  }

  /** The n-th row of a cprcode keeps the id of the n-th before. */
  replaceWith(order) {
    const before = this.order.productList.map(({ cprcode }, line) => ({ cprcode, id: this.ids[line] }));
    this.order = plain(order);
    this.ids = this.order.productList.map(({ cprcode }) => {
      const at = before.findIndex((row) => row.cprcode === cprcode);
      return at < 0 ? this.#nextId++ : before.splice(at, 1)[0].id;
    });
  }

  setZones(zones) {
    this.zones = zones;
    this.#changed();
  }

  /** All that was answered is lost, as the calls are. */
  lose() {
    this.#facts = noFacts();
    this.#failures = [];
    this.#coupons = undefined;
    this.#couponFailure = undefined;
    this.#calls.clear();
    this.#changed();
  }

  /** Everything, or one row's price, is asked again. */
  refresh(line) {
    const price = line === undefined ? undefined : this.#priceKey(this.#order.productList[line]);
    const isAsked = (kind, key) => line === undefined || (kind === "prices" && key === price);
    for (const kind of KINDS) {
      for (const [key, fact] of [...this.#facts[kind]].filter(([one]) => isAsked(kind, one))) {
        if (fact.fault) this.#facts[kind].delete(key);
        else this.#facts[kind].set(key, { ...fact, isOld: true });
      }
    }
    this.#dropFailures((kind, key) => !isAsked(kind, key));
    for (const call of this.#calls) {
      if (call.lookup === "validateCoupons") call.isOld ||= line === undefined;
      else for (const key of call.keys) if (isAsked(call.kind, key)) call.oldKeys.add(key);
    }
    if (line !== undefined) return;
    this.#couponFailure = undefined;
    if (this.#coupons) this.#coupons = { ...this.#coupons, isOld: true };
  }

  // ---- answers

  /** A call of the host begins. */
  asked(lookup, argument) {
    const kind = KINDS.find((one) => LOOKUPS[one] === lookup);
    const call = { lookup, kind, argument, keys: keysOf(lookup, argument), oldKeys: new Set() };
    if (lookup === "validateCoupons") {
      Object.assign(call, { ids: [...this.ids], codes: argument.couponCodeList, request: JSON.stringify(argument) });
    }
    this.#calls.add(call);
    return call;
  }

  /** The call was aborted: its answer is of no use. */
  aborted(call) {
    this.#calls.delete(call);
  }

  answered(call, answer) {
    if (!this.#calls.delete(call)) return;
    try {
      if (call.lookup === "validateCoupons") this.#learnCoupons(call, answer);
      else this.#learn(call, answer);
      this.#changed();
    } catch (fault) {
      this.#fail(call, fault);
    }
  }

  /** The call threw, or was late. `isFinal`: trying again cannot help. */
  failed(call, message, isFinal = false) {
    if (!this.#calls.delete(call)) return;
    const { code } = call.lookup === "deliveryZones" ? { code: "DELIVERY_ZONES_FAILED" } : failedLookup(call.lookup, message);
    this.#fail(call, new Fault(code, message, { retryable: !isFinal }));
  }

  /** The host lacks the function. */
  missing(lookup, argument) {
    const fault = new Fault(LOOKUP_CODES[lookup], `The host does not supply ${lookup}`);
    const call = this.asked(lookup, argument);
    this.#calls.delete(call);
    this.#fail(call, fault);
  }

  #learn({ lookup, kind, keys, oldKeys, argument }, answer) {
    const answers = kind === "rates" ? [answer] : checkList(answer, keys, lookup);
    const asked = kind === "rates" ? [argument] : argument;
    const facts = keys.map((key, index) => readFact(kind, asked[index], answers[index], this));
    keys.forEach((key, index) => {
      // The answer to a call from before a refresh is shown until the next answer. A fault is ignored then.
      if (!oldKeys.has(key)) this.#facts[kind].set(key, facts[index]);
      else if (facts[index].fault) this.#facts[kind].delete(key);
      else this.#facts[kind].set(key, { ...facts[index], isOld: true });
    });
    this.#dropFailures((one, key) => one !== kind || !keys.includes(key));
  }

  #learnCoupons({ ids, codes, request, isOld }, answer) {
    askCoupons({ host: { coupons: answer }, options: this.options }, { productList: ids }); // throws if it is malformed
    this.#coupons = { ids, codes, request, answer: typeof answer === "string" ? JSON.parse(answer) : (answer ?? {}), isOld };
    this.#lost.clear();
    if (this.#couponFailure?.request === request) this.#couponFailure = undefined;
  }

  #fail({ lookup, kind, keys, oldKeys, request, isOld }, fault) {
    if (!(fault instanceof Fault)) throw fault;
    if (lookup === "validateCoupons") {
      if (!isOld) this.#couponFailure = { request, fault };
    } else {
      this.#dropFailures((one, key) => one !== kind || !keys.includes(key));
      const failed = keys.filter((key) => !oldKeys.has(key));
      for (const key of failed) if (this.#facts[kind].get(key)?.isWrong) this.#facts[kind].delete(key); // the newest word counts
      if (failed.length > 0) this.#failures.push({ lookup, kind, keys: failed, fault });
    }
    this.#changed();
  }

  #dropFailures(keep) {
    for (const failure of this.#failures) failure.keys = failure.keys.filter((key) => keep(failure.kind, key));
    this.#failures = this.#failures.filter(({ keys }) => keys.length > 0);
  }

  // ---- what is needed

  /** The keys of each kind that the order and the slots need. */
  get needed() {
    return together([this.#neededByOrder, ...this.#slotOrders.map((order) => this.#namesOf(order))]);
  }

  /** An empty order needs nothing. */
  get #neededByOrder() {
    return this.order.productList.length > 0 ? this.#namesOf(this.#order) : together([]);
  }

  /** Whether the order needs anything of a call. */
  isForOrder({ lookup, kind, keys }) {
    return lookup === "validateCoupons" || keys.some((key) => this.#neededByOrder[kind].includes(key));
  }

  /** The keys that the order names, an empty one too, and the slots. */
  get #named() {
    const products = this.#order.productList.slice(0, this.order.productList.length);
    return together([{ ...this.#order, productList: products }, ...this.#slotOrders].map((order) => this.#namesOf(order)));
  }

  /** For each slot an order of nothing but that delivery. */
  get #slotOrders() {
    const ofSlot = (shipping) => ({ ...this.#readOrder({ productList: [SOME_PRODUCT], shipping }), productList: [] });
    return (this.#readSlots ??= this.slots.map(ofSlot));
  }

  #namesOf({ shipping, voucherId, productList }) {
    const paid = shipping?.shippingType === "DELIVERY" ? shipping.scheduleList : [];
    const rates = paid.filter(({ mode }) => mode === "NATIONWIDE").map((one) => rateKey(shipping, one));
    return {
      prices: [...new Set(productList.map((row) => this.#priceKey(row)))],
      rates: [...new Set(rates)],
      zones: this.asksZones && this.zones === undefined && paid.some(isOfZone) ? ["zones"] : [],
      vouchers: distinct(voucherId).map(handed),
    };
  }

  /** What the next settle() asks, without the calls that are out: needed, and unknown, out of date, wrong or failed. */
  get toAsk() {
    const isOut = (kind, key) => [...this.#calls].some((call) => call.kind === kind && call.keys.includes(key));
    const { needed } = this;
    return Object.fromEntries(KINDS.map((kind) => [kind, needed[kind].filter((key) => !isOut(kind, key) && !this.#isSettled(kind, key))]));
  }

  /** Known, also to be not found: not asked again. */
  #isSettled(kind, key) {
    const fact = this.#facts[kind].get(key);
    return fact !== undefined && !fact.isOld && !fact.isWrong && !this.#failureOf(kind, key);
  }

  /** Whether its call failed, or gave a wrong record: it rests until somebody asks again. Undefined if not. */
  faultOf(kind, key) {
    const fact = this.#facts[kind].get(key);
    return this.#failureOf(kind, key)?.fault ?? (fact?.isWrong ? fact.fault : undefined);
  }

  /** The same of the coupons. */
  get couponFault() {
    void this.shown;
    return this.#couponFailure?.fault;
  }

  /** The coupon service's next request, or undefined: nothing to ask, or it cannot be written yet. */
  get couponsToAsk() {
    const { request, pending } = this.shown;
    const isFailed = this.#couponFailure !== undefined;
    return pending.includes("coupons") || isFailed ? request : undefined;
  }

  /** A call that is out is of no use to this order any more. */
  isUseless({ lookup, kind, keys, request }) {
    if (lookup === "validateCoupons") return request !== this.shown.request;
    return !keys.some((key) => this.needed[kind].includes(key));
  }

  #changed() {
    this.#read = undefined;
    this.#readSlots = undefined;
    this.#shown = undefined;
    const named = this.#named;
    for (const kind of KINDS) {
      const faults = [...this.#facts[kind]].filter(([, { fault }]) => fault);
      for (const [key] of faults) if (!named[kind].includes(key)) this.#facts[kind].delete(key);
    }
    this.#dropFailures((kind, key) => named[kind].includes(key));
    if (this.order.productList.length === 0) this.#couponFailure = undefined;
    void this.shown; // at once: a coupon failure ends with the first change of its request
  }

  // ---- what it shows

  /** The order with its defaults. An empty one gets a product, because the reader refuses orders without products. */
  get #order() {
    const { productList } = this.order;
    const order = productList.length > 0 ? this.order : { ...this.order, productList: [SOME_PRODUCT] };
    return (this.#read ??= this.#readOrder(order));
  }

  #readOrder(order) {
    return readOrder(readJson(JSON.stringify(order)), this.options?.limits, this.options?.input);
  }

  /**
   * `{ status, pending, problems, totals, rows, shipping, validVouchers, invalidVouchers, discountResult, request,
   * uncertain, slots, areSlotsOpen }`. `uncertain` names the totals that an overflow makes unclear; API.md says that itself shows 0, and
   * nothing of those that are made of it.
   */
  get shown() {
    return (this.#shown ??= { ...(this.order.productList.length === 0 ? EMPTY : this.#show()), ...this.#showSlots() });
  }

  #showSlots() {
    const deliveries = this.#slotOrders.map((order) => this.#delivery(order));
    const slots = deliveries.map(({ fees, isKnown, problems }) => {
      const cost = sum(fees.flatMap(({ deliveryFee, surcharge }) => [deliveryFee, surcharge]));
      return {
        fees: fees.map(({ deliveryFee }, index) => (isKnown[index] ? Number(decimalText(deliveryFee)) : null)),
        cost: isKnown.includes(false) ? null : Number(decimalText(cost)),
        problem: problems[0] ?? null,
      };
    });
    return { slots, areSlotsOpen: deliveries.some(({ isPending }) => isPending) };
  }

  #show() {
    const order = this.#order;
    const { policy = {} } = this.options ?? {};
    const prices = this.#prices(order);
    const delivery = this.#delivery(order);
    const vouchers = this.#vouchers(order);
    const codes = distinct(order.couponCodeList);

    const { rows, overflows } = soundRows(order, prices.records, policy);
    const before = attempt(() => totalsBeforeCoupons(rows, delivery.fees, policy));
    const isKnown = !prices.isUnknown && !delivery.isUnknown && overflows.size === 0 && !before.fault;
    const request = isKnown && codes.length > 0 ? JSON.stringify(couponRequest(order, codes, rows, before.value)) : undefined;
    this.#loseCodes(codes.map(handed));
    if (request !== undefined && request === this.#coupons?.request) {
      this.#coupons.ids = [...this.ids]; // its line numbers apply
      this.#lost.clear();
    }
    const coupons = this.#discounts(codes);
    const after = before.fault ? before : attempt(() => totalsAfterCoupons(before.value, rows, coupons, vouchers.known, policy));
    const total = totalsShown({ order, rows, delivery: delivery.fees, vouchers: vouchers.known, coupons, after, policy });

    const isCouponFailed = this.#couponFailure !== undefined && this.#couponFailure.request === request;
    if (!isCouponFailed) this.#couponFailure = undefined;
    const areCouponsOpen =
      codes.length > 0 && !isCouponFailed && (request === undefined || request !== this.#coupons?.request || Boolean(this.#coupons.isOld));
    const isBeforeCoupons = before.fault !== undefined;
    const isBlocked = prices.problems.length > 0 || delivery.problems.length > 0 || overflows.size > 0 || isBeforeCoupons;
    const parts = {
      prices: prices.isPending,
      delivery: delivery.isPending,
      coupons: areCouponsOpen && !isBlocked,
      vouchers: vouchers.isPending,
    };
    const pending = Object.keys(parts).filter((part) => parts[part]);
    const overflow = [...overflows.entries()].map(([line, fault]) => problem(fault, { line }));
    const totalFault = total.fault && problem(total.fault, {});
    const problems = [
      ...prices.problems,
      ...delivery.problems,
      ...vouchers.problems,
      ...overflow,
      ...(totalFault && isBeforeCoupons ? [totalFault] : []),
      ...(isCouponFailed ? [problem(this.#couponFailure.fault, { lookup: "validateCoupons" })] : []),
      ...(totalFault && !isBeforeCoupons ? [totalFault] : []),
    ];
    const couponState = parts.coupons ? "waiting" : areCouponsOpen || isCouponFailed ? "notChecked" : undefined;
    const { productList, ...rest } = total.response;
    return {
      status: problems.length > 0 ? "failed" : pending.length > 0 ? "pending" : "current",
      pending,
      blocked: areCouponsOpen && isBlocked ? ["coupons"] : [],
      problems,
      totals: total.totals,
      uncertain: new Set([...total.uncertain, ...(overflows.size > 0 ? ["totalWeight"] : [])]),
      rows: productList.map((row, line) =>
        rowShown(
          row,
          prices.byLine[line],
          overflow.find(({ subject }) => subject.line === line),
        ),
      ),
      shipping: rest.shipping && {
        ...rest.shipping,
        scheduleList: rest.shipping.scheduleList.map((one, index) => (delivery.isKnown[index] ? one : { ...one, deliveryFee: null })),
      },
      validVouchers: rest.validVouchers,
      invalidVouchers: rest.invalidVouchers,
      discountResult: rest.discountResult,
      isWhole: coupons.isWhole,
      coupons: after.fault ? undefined : couponsShown(codes, coupons, after.value.totals, policy, couponState),
      request,
      isReadyForCoupons:
        request !== undefined && ![...prices.problems, ...delivery.problems].length && !parts.prices && !parts.delivery && !parts.vouchers,
    };
  }

  #loseCodes(codes) {
    for (const code of this.#codes) this.#lost.add(code);
    for (const code of codes) this.#lost.delete(code);
    if (codes.length === 0) this.#lost.clear();
    this.#codes = codes;
  }

  #prices(order) {
    const records = new Map();
    const problems = [];
    const told = new Set();
    const byLine = order.productList.map((row, line) => {
      const key = this.#priceKey(row);
      const { answer, fault } = this.#facts.prices.get(key) ?? {};
      const failure = this.#failureOf("prices", key);
      const place = { line, cprcode: row.cprcode, branchId: order.branchId.value };
      const own = fault && problem(fault, { ...place, ...(fault.code === "PRODUCT_PRICE_NOT_FOUND" ? {} : { lookup: "lookupPrices" }) });
      if (own) problems.push(own);
      else if (failure && !told.has(failure)) problems.push(problem(failure.fault, { lookup: "lookupPrices" }));
      told.add(failure);
      records.set(row.cprcode, priceRecord(order, row, answer));
      return { isUnknown: answer === undefined, problem: own ?? null };
    });
    return { records, byLine, problems, isUnknown: byLine.some((one) => one.isUnknown), isPending: this.#isPending("prices") };
  }

  #delivery(order) {
    const { shipping } = order;
    if (!shipping) return { fees: [], isKnown: [], problems: [], isUnknown: false, isPending: false };
    const needed = this.#namesOf({ ...order, productList: [], voucherId: [] });
    const problems = [];
    const told = new Set();
    const schedules = shipping.scheduleList.map((schedule, index) => {
      const key = rateKey(shipping, schedule);
      const { answer, fault } = this.#facts.rates.get(key) ?? {};
      const failure = this.#failureOf("rates", key);
      const one = { ...order, shipping: { ...shipping, scheduleList: [schedule] } };
      const isRate = needed.rates.includes(key) && schedule.mode === "NATIONWIDE";
      if (isRate && answer === undefined) {
        const what = fault ?? failure?.fault;
        const lookup = what?.code === "NATIONWIDE_RATE_NOT_FOUND" ? {} : { lookup: "nationwideRate" };
        if (what && !told.has(what)) problems.push(problem(what, { ...lookup, schedule: index }));
        if (failure) told.add(what); // a failed call is one problem, a wrong record one of each schedule
        return undefined;
      }
      if (needed.zones.length > 0 && isOfZone(schedule)) {
        const what = this.faultOf("zones", "zones");
        if (what && !told.has(what)) problems.push(problem(what, {}));
        told.add(what);
        return undefined;
      }
      if (isRate && failure && !told.has(failure.fault)) {
        problems.push(problem(failure.fault, { lookup: "nationwideRate", schedule: index }));
        told.add(failure.fault);
      }
      const { value, fault: zoneFault } = attempt(() =>
        calculateDelivery({ host: { rates: { [schedule.nationwideMode]: answer } }, zones: this.zones, options: this.options }, one),
      );
      if (zoneFault) problems.push(problem(zoneFault, { schedule: index, brcode: shipping.brcode }));
      return value?.[0];
    });
    // The express surcharge depends on the whole list, and on no fact.
    const free = { host: { rates: FREE_RATES }, zones: freeEverywhere(shipping.brcode), options: this.options };
    const places = { ...shipping, shippingLat: "0", shippingLon: "0" };
    const fees = calculateDelivery(free, { shipping: places }).map(({ expressFee, surcharge, nationwideConfig }, index) => {
      const known = schedules[index];
      return {
        expressFee,
        surcharge,
        deliveryFee: known?.deliveryFee ?? ZERO,
        nationwideConfig: known ? known.nationwideConfig : nationwideConfig,
      };
    });
    const isKnown = schedules.map((one) => one !== undefined);
    const isPending = this.#isPending("rates", needed) || this.#isPending("zones", needed);
    return { fees, isKnown, problems, isUnknown: isKnown.includes(false), isPending };
  }

  #vouchers(order) {
    const problems = [];
    const told = new Set();
    const known = distinct(order.voucherId).flatMap((asked) => {
      const id = handed(asked);
      const { answer, fault } = this.#facts.vouchers.get(id) ?? {};
      const failure = this.#failureOf("vouchers", id);
      if (fault)
        problems.push(problem(fault, { voucherId: id, ...(fault.code === "VOUCHER_NOT_FOUND" ? {} : { lookup: "lookupVouchers" }) }));
      else if (failure && !told.has(failure)) problems.push(problem(failure.fault, { lookup: "lookupVouchers" }));
      told.add(failure);
      return answer === undefined ? [] : lookUpVouchers({ host: { vouchers: { [id]: answer } } }, { ...order, voucherId: [asked] });
    });
    return { known, problems, isPending: this.#isPending("vouchers") };
  }

  /** What is known to be wrong is not pending. */
  #isPending(kind, needed = this.#neededByOrder) {
    return needed[kind].some((key) => {
      const fact = this.#facts[kind].get(key);
      return (fact === undefined || fact.isOld) && !this.#failureOf(kind, key);
    });
  }

  #failureOf(kind, key) {
    return this.#failures.find((failure) => failure.kind === kind && failure.keys.includes(key));
  }

  #priceKey({ cprcode }) {
    return `${cprcode}/${handed(this.#order.branchId)}`;
  }

  /**
   * D25: the newest coupon answer, as far as it still counts. If a code of its request was removed, only the discounts
   * of the remaining codes count: nobody knows which code the service's other discounts belong to. A code that it added,
   * and that was listed and removed since, does not count either.
   */
  #discounts(codes) {
    if (!this.#coupons || codes.length === 0) return { ...NO_DISCOUNTS, isWhole: true };
    const { ids, codes: saidOf, answer } = this.#coupons;
    const listed = codes.map(handed);
    const left = saidOf.filter((code) => listed.includes(code));
    const isWhole = left.length === saidOf.length;
    const counts = (code) => (isWhole ? !this.#lost.has(code) : left.includes(code));
    const discounts = (answer.discounts ?? []).filter(({ coupon }) => counts(coupon));
    const own = left.length === 0 ? { lines: [] } : {};
    const coupons = askCoupons({ host: { coupons: { ...answer, discounts, ...own } }, options: this.options }, { productList: ids });
    const lines = coupons.lines.map(({ line, discount }) => ({ line: this.ids.indexOf(ids[line]), discount }));
    return { ...coupons, lines: lines.filter(({ line }) => line >= 0), isWhole };
  }
}

const EDITS = {
  setQuantity(line, quantity) {
    this.order.productList[line].quantity = quantity;
  },
  addProduct(product) {
    this.insert(this.ids.length, product);
  },
  insertProduct(line, product) {
    this.insert(line, product);
  },
  updateProduct(line, patch) {
    for (const [name, value] of Object.entries(patch)) {
      if (value !== undefined) this.order.productList[line][name] = plain(value);
    }
  },
  removeProduct(line) {
    this.order.productList.splice(line, 1);
    this.ids.splice(line, 1);
  },
  setShipping(shipping) {
    this.order.shipping = plain(shipping);
  },
  setSlots(slots) {
    this.slots = plain(slots);
  },
  setCoupons(codes) {
    this.order.couponCodeList = plain(codes);
  },
  setVouchers(ids) {
    this.order.voucherId = plain(ids);
  },
  setOwner(ownerId) {
    this.order.ownerId = ownerId;
  },
  setBranch(branchId) {
    this.order.branchId = branchId;
  },
  replace(order) {
    this.replaceWith(order);
  },
  refresh(line) {
    this.refresh(line);
  },
};

/** The keys that a call of the host asks for. */
export function keysOf(lookup, argument) {
  if (lookup === "lookupPrices") return argument.map(({ cprcode, branchId }) => `${cprcode}/${branchId}`);
  if (lookup === "lookupVouchers") return [...argument];
  if (lookup === "deliveryZones") return ["zones"];
  if (lookup === "nationwideRate") return [`${argument.nationwideMode}/${argument.shippingPostcode}`];
  return [];
}

/** The value after writing and reading it as JSON. */
const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const noFacts = () => Object.fromEntries(KINDS.map((kind) => [kind, new Map()]));

/** The keys of all these, each once. */
const together = (lists) => Object.fromEntries(KINDS.map((kind) => [kind, [...new Set(lists.flatMap((list) => list[kind]))]]));

const isOfZone = ({ mode }) => mode === "REGULAR" || mode === "EXPRESS";

const rateKey = ({ shippingPostcode }, { nationwideMode }) => `${nationwideMode}/${handed(shippingPostcode)}`;

/** The value that `make` gives, or the Fault that it throws. */
function attempt(make) {
  try {
    return { value: make() };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { fault };
  }
}

function problem({ code, message, path, retryable }, subject) {
  return { code, message, path, retryable, subject };
}

/** What one answer says: `{ answer }`, or `{ fault }` if there is no record or a wrong one. */
function readFact(kind, key, answer, { options }) {
  const text = (value) => ({ raw: JSON.stringify(value), value });
  const { fault } = attempt(() => {
    if (kind === "prices") {
      const order = { branchId: text(key.branchId), productList: [{ cprcode: key.cprcode }] };
      lookUpPrices({ host: { prices: { [`${key.cprcode}/${key.branchId}`]: answer } } }, order);
    } else if (kind === "vouchers") {
      lookUpVouchers({ host: { vouchers: { [key]: answer } } }, { voucherId: [text(key)], ownerId: text("") });
    } else {
      const { shippingPostcode, nationwideMode } = key;
      const scheduleList = [{ mode: "NATIONWIDE", nationwideMode, nationwideConfig: null }];
      const shipping = { shippingType: "DELIVERY", shippingPostcode: text(shippingPostcode), scheduleList };
      calculateDelivery({ host: { rates: { [nationwideMode]: answer } }, options }, { shipping });
    }
  });
  if (!fault) return { answer };
  return { fault, isWrong: !/NOT_FOUND$/.test(fault.code) };
}

function priceRecord(order, { cprcode }, answer) {
  const prices = { [`${cprcode}/${handed(order.branchId)}`]: answer ?? NO_PRICE };
  return lookUpPrices({ host: { prices } }, { ...order, productList: [{ cprcode }] }).get(cprcode);
}

/** The rows, those that overflow counting 0; and which do, by line. */
function soundRows(order, records, policy) {
  const overflows = new Map();
  const rows = order.productList.map((row, line) => {
    const alone = { ...order, productList: [row] };
    const { value, fault } = attempt(() => priceRows(alone, records, policy));
    if (value) return value[0];
    overflows.set(line, new Fault(fault.code, fault.message.replace("productList[0]", `productList[${line}]`)));
    const record = records.get(row.cprcode);
    const nothing = { ...record, price: ZERO, originalPrice: ZERO, weight: ZERO };
    const [counted] = priceRows(alone, new Map([[row.cprcode, nothing]]), policy);
    const { settlementPrice } =
      policy.settlementPrice === "record" ? priceRows({ ...alone, productList: [{ ...row, quantity: 0 }] }, records, policy)[0] : counted;
    return { ...counted, price: record.price, originalPrice: record.originalPrice, settlementPrice };
  });
  return { rows, overflows };
}

/** The totals, each 0 if it overflows; the response that shows the rest; the names of totals that depend on one that overflows. */
function totalsShown({ order, rows, delivery, vouchers, coupons, after, policy }) {
  const shown = (totals, finalRows) => JSON.parse(responseText(order, finalRows, delivery, totals, vouchers, coupons));
  if (after.value) {
    const response = shown(after.value.totals, after.value.rows);
    return { response, totals: Object.fromEntries(TOTALS.map((name) => [name, response[name]])), uncertain: [], fault: undefined };
  }
  const folds = (policy.foldedDiscounts ?? "none") !== "none"; // then it depends on what may not fit
  const given = (name) => coupons.discounts.map((discount) => discount[name]);
  const fees = sum(delivery.map(({ deliveryFee }) => deliveryFee));
  const sums = {
    subTotal: sum(rows.map(({ effective, rowTotal }) => (policy.subTotal === "rowTotals" ? rowTotal : effective))),
    deliveryFee: fees,
    shippingFee: fees,
    shippingPrice: fees,
    expressShippingCost: sum(delivery.map(({ surcharge }) => surcharge)),
    ...(!folds && { cartDiscount: sum(given("discount")) }),
    bogoDiscount: sum(given("bogoDiscount")),
    two4Discount: sum(given("two4Discount")),
    voucherDiscount: sum(vouchers.filter(({ valid }) => valid).map(({ value }) => value)),
  };
  const totals = Object.fromEntries(TOTALS.map((name) => [name, name in sums && fits(sums[name]) ? sums[name] : ZERO]));
  totals.isFreeShipping = coupons.discounts.some(({ freeshipping }) => freeshipping);
  const { value = rows } = attempt(() => discountRows(rows, coupons.lines));
  const response = shown(totals, value);
  const uncertain = TOTALS.filter((name) => !(name in sums) && name !== "isFreeShipping");
  return { response, totals: Object.fromEntries(TOTALS.map((name) => [name, response[name]])), uncertain, fault: after.fault };
}

/** The outcome of each code; `open` is the state of all if the service has not answered for this basket. */
function couponsShown(codes, { discounts, failedCoupons, error }, totals, policy, open) {
  const folds = policy.foldedDiscounts ?? "none";
  const names = ["discount", "bogoDiscount", "shippingDiscount", ...(["two4", "both"].includes(folds) ? ["two4Discount"] : [])];
  const largest = discounts.map(({ percentageDiscount }) => percentageDiscount).reduce(max, ZERO);
  const hasPercentage = ["percentage", "both"].includes(folds);
  const folded = discounts.find(({ percentageDiscount }) => hasPercentage && equals(percentageDiscount, largest));
  const waiving = discounts.find(({ freeshipping }) => freeshipping);
  const waived = subtract(totals.shippingDiscount, sum(discounts.map(({ shippingDiscount }) => shippingDiscount)));
  const found = new Map(codes.map((code) => [code.value, { off: ZERO }]));
  for (const code of failedCoupons) found.set(code.value, { off: ZERO, hasFailed: true });
  for (const discount of discounts) {
    const { off, hasFailed } = found.get(discount.coupon.value) ?? { off: ZERO };
    const atOnce = [discount === folded ? totals.percentageDiscount : ZERO, discount === waiving ? waived : ZERO];
    found.set(discount.coupon.value, { off: sum([off, ...names.map((name) => discount[name]), ...atOnce]), hasFailed });
  }
  return [...found].map(([code, { off, hasFailed }]) => {
    const state = open ?? (!equals(off, ZERO) ? "accepted" : hasFailed ? "refused" : "withoutEffect");
    const texts = [JSON.parse(error), JSON.parse(error)?.[code], JSON.parse(error)?.message];
    const reason = state === "refused" ? texts.find((text) => typeof text === "string") : undefined;
    return { code, state, amount: Number(decimalText(off)), reason: reason ?? null };
  });
}

/** A row that is not known, or is known to be wrong, counts 0. */
function rowShown(row, { isUnknown, problem: own }, overflow) {
  if (overflow) return { ...row, rowTotal: 0, discountedRowTotal: 0, isOverflow: true, problem: overflow };
  if (!isUnknown) return { ...row, problem: null };
  const nothing = {
    originalPrice: null,
    price: null,
    rowTotal: 0,
    discountedRowTotal: 0,
    settlementPrice: 0,
    weight: 0,
    isControlledProduct: false,
  };
  return { ...row, ...nothing, problem: own };
}

const FREE_RATES = Object.fromEntries(["DRY", "FRESH", "MIX"].map((mode) => [mode, { deliveryFee: 0 }]));

function freeEverywhere(brcode) {
  const coordinates = [
    [
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ],
  ];
  const feature = { type: "Feature", properties: { brcode, deliveryFee: 0 }, geometry: { type: "Polygon", coordinates } };
  return { type: "FeatureCollection", features: [feature] };
}
