import { calculateDelivery } from "./delivery.js";
import { NO_DISCOUNTS, askCoupons } from "./discounts.js";
import { decimalText } from "./decimal.js";
import { Fault } from "./fault.js";
import { readJson } from "./json.js";
import { distinct, handed, readOrder } from "./order.js";
import { lookUpPrices } from "./prices.js";
import { couponRequest, rowsText } from "./response.js";
import { priceRows, totalsAfterCoupons, totalsBeforeCoupons } from "./totals.js";
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

/**
 * What a live basket shows, by the naive model: computed from scratch after every change, from the order and the known
 * answers. Unknown amounts are 0.
 */
export class NaiveBasket {
  generation = 0; // of the facts: `forget` begins another one
  #ids = [];
  #nextId = 0;
  #facts = {};
  #coupons;
  #read;
  #shown;
  #good = NOTHING;

  constructor(order, { options, zones } = {}) {
    this.options = options;
    this.zones = zones;
    this.order = plain(order);
    for (const _ of this.order.productList) this.#ids.push(this.#nextId++);
    this.forget();
  }

  apply(name, argument) {
    this.#read = undefined;
    const { productList } = this.order;
    const members = { setShipping: "shipping", setCoupons: "couponCodeList", setVouchers: "voucherId", setOwner: "ownerId", setBranch: "branchId" };
    if (name === "refresh") return this.forget();
    if (name === "setQuantity") productList[argument[0]].quantity = argument[1];
    else if (name === "addProduct") {
      productList.push(plain(argument[0]));
      this.#ids.push(this.#nextId++);
    } else if (name === "removeProduct") {
      productList.splice(argument[0], 1);
      this.#ids.splice(argument[0], 1);
    } else this.order[members[name]] = plain(argument[0]);
    this.#change();
  }

  setZones(zones) {
    this.zones = zones;
    this.#change();
  }

  forget() {
    this.generation += 1;
    this.#facts = { prices: new Map(), rates: new Map(), vouchers: new Map() };
    this.#coupons = undefined;
    this.#change();
  }

  /**
   * Takes in answers, each `[kind, key, answer]`: prices by "<cprcode>/<branchId>", rates by "<mode>/<postcode>",
   * vouchers by id.
   */
  learn(answers) {
    for (const [kind, key, answer] of answers) this.#facts[kind].set(key, answer);
    this.#change();
  }

  knows(kind, key) {
    return this.#facts[kind].has(key);
  }

  /** A copy for a round of look-ups: it learns what this basket learns, but is not edited. */
  snapshot() {
    const snapshot = new NaiveBasket(this.order, this);
    snapshot.generation = this.generation;
    snapshot.#ids = [...this.#ids];
    snapshot.#facts = this.#facts;
    return snapshot;
  }

  /** Takes in a coupon answer for `asker`, a snapshot. If the order overflows, the answer is not kept. */
  learnCoupons(asker, request, answer) {
    const codes = asker.order.couponCodeList ?? [];
    asker.#tell({ ids: asker.#ids, codes, request, answer });
    if (!asker.shown.overflow) this.#tell(asker.#coupons);
  }

  #tell(coupons) {
    this.#coupons = coupons;
    this.#change();
  }

  get knownRequest() {
    return this.#coupons?.request;
  }

  /** `{ totals, rows, pending, overflow }`; without rows if they are too large. */
  get shown() {
    return (this.#shown ??= this.#show());
  }

  /** If `eager`, computes after every change: the last totals that fit stay on show. */
  #change() {
    this.#shown = undefined;
    if (this.eager) void this.shown;
  }

  #show() {
    if (this.order.productList.length === 0) {
      this.#good = NOTHING;
      return { totals: this.#good, rows: [], pending: [], overflow: undefined };
    }
    const order = (this.#read ??= readOrder(readJson(JSON.stringify(this.order)), this.options?.limits));
    const unknown = { prices: false, delivery: false, coupons: false, vouchers: false };
    const prices = this.#prices(order, unknown);
    const delivery = this.#delivery(order, unknown);
    const vouchers = this.#vouchers(order, unknown);
    const codes = distinct(order.couponCodeList);
    const { policy = {} } = this.options ?? {};
    let request;
    let overflow;
    let rows;
    try {
      const before = priceRows(order, prices, policy);
      const subtotals = totalsBeforeCoupons(before, delivery);
      if (!unknown.prices && !unknown.delivery) request = JSON.stringify(couponRequest(order, codes, before, subtotals));
      const after = totalsAfterCoupons(subtotals, before, this.#discounts(codes), vouchers, policy);
      rows = JSON.parse(rowsText(after.rows)).map((row) => (prices.get(row.cprcode).unknown ? unpriced(row) : row));
      const number = (value) => (typeof value === "boolean" ? value : Number(decimalText(value)));
      this.#good = Object.fromEntries(TOTALS.map((name) => [name, number(after.totals[name])]));
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      overflow = fault.message;
    }
    if (request !== undefined && request === this.knownRequest && this.#coupons.ids.join() !== this.#ids.join()) {
      // This request was answered, so its line numbers apply.
      this.#coupons.ids = [...this.#ids];
      return this.#show();
    }
    unknown.coupons = codes.length > 0 && (request === undefined || request !== this.knownRequest);
    return { totals: this.#good, rows, pending: Object.keys(unknown).filter((kind) => unknown[kind]), overflow };
  }

  #prices(order, unknown) {
    const prices = {};
    const holes = new Set();
    for (const { cprcode } of order.productList) {
      const key = `${cprcode}/${handed(order.branchId)}`;
      prices[key] = this.#facts.prices.get(key) ?? { price: 0, weight: 0 };
      if (!this.knows("prices", key)) holes.add(cprcode);
    }
    unknown.prices = holes.size > 0;
    const records = lookUpPrices({ host: { prices } }, order);
    for (const cprcode of holes) records.get(cprcode).unknown = true;
    return records;
  }

  #delivery(order, unknown) {
    const { shipping } = order;
    const rates = {};
    for (const mode of ["DRY", "FRESH", "MIX"]) {
      rates[mode] = shipping && this.#facts.rates.get(`${mode}/${handed(shipping.shippingPostcode)}`);
      if (rates[mode]) continue;
      rates[mode] = { deliveryFee: 0 };
      unknown.delivery ||=
        shipping?.shippingType === "DELIVERY" && shipping.scheduleList.some((one) => one.mode === "NATIONWIDE" && one.nationwideMode === mode);
    }
    const { options, zones } = this;
    try {
      return calculateDelivery({ host: { rates }, zones, options }, order);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      unknown.delivery = true;
      const somewhere = { ...shipping, shippingLat: "0", shippingLon: "0" };
      return calculateDelivery({ host: { rates }, zones: freeEverywhere(shipping.brcode), options }, { shipping: somewhere });
    }
  }

  #vouchers(order, unknown) {
    const known = order.voucherId.filter((id) => this.knows("vouchers", handed(id)));
    unknown.vouchers = known.length < order.voucherId.length;
    const vouchers = Object.fromEntries(known.map((id) => [handed(id), this.#facts.vouchers.get(handed(id))]));
    return lookUpVouchers({ host: { vouchers } }, { ...order, voucherId: known });
  }

  /**
   * The last coupon answer, reduced to the products that are still there. If a code of the request was removed, only
   * the discounts of the remaining codes count: nobody knows which code the service's other discounts belong to.
   */
  #discounts(codes) {
    if (!this.#coupons || codes.length === 0) return NO_DISCOUNTS;
    const { ids, codes: saidOf, answer } = this.#coupons;
    const listed = codes.map(({ value }) => value);
    const left = saidOf.filter((code) => listed.includes(code));
    const isWhole = left.length === saidOf.length;
    const discounts = (answer.discounts ?? []).filter(({ coupon }) => isWhole || left.includes(coupon));
    const coupons = askCoupons({ host: { coupons: { ...answer, discounts } } }, { productList: ids });
    const lines = coupons.lines.map(({ line, discount }) => ({ line: this.#ids.indexOf(ids[line]), discount }));
    return { ...coupons, lines: lines.filter(({ line }) => line >= 0) };
  }
}

/** The value after writing and reading it as JSON. */
const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function unpriced(row) {
  return { ...row, originalPrice: null, price: null, rowTotal: 0, discountedRowTotal: 0, settlementPrice: 0, weight: 0, isControlledProduct: false };
}

function freeEverywhere(brcode) {
  const coordinates = [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]];
  const feature = { type: "Feature", properties: { brcode, deliveryFee: 0 }, geometry: { type: "Polygon", coordinates } };
  return { type: "FeatureCollection", features: [feature] };
}
