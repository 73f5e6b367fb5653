// What an answer says of money. Its bytes are read where they stand, and only for what is asked.

import { firstValue, isList, isObject, isString, membersOf, namesOf, spansInList, valueEnd } from "./json-scan.js";
import { moneyIn, ONE } from "./money.js";

const PRICED = 200;
const MEMBERS = namesOf("grandTotal", "error", "productList", "subTotal", "deliveryFee", "expressShippingCost", "voucherDiscount");
const ROW = namesOf("cprcode", "price", "quantity");
const ROW_WIDTH = 2 * ROW.length;
const [GRAND_TOTAL, PRODUCT_LIST] = namesOf("grandTotal", "productList");

/** The answer that was captured. */
export class CapturedAnswer {
  /** @type {PricedAnswer | undefined} */
  #ours;
  /** @type {(Buffer | undefined)[] | undefined} */
  #members;
  /** @type {{ money: bigint | undefined } | undefined} */
  #total;

  /**
   * @param {Buffer} bytes
   * @param {number | null | undefined} status null: there was no answer; undefined: it was not captured
   * @param {{ bytes?: Buffer }} again what this package answers to the order as it was; without bytes it fails
   */
  constructor(bytes, status, again) {
    this.bytes = bytes;
    this.status = status;
    const isPriced = status === PRICED || status === undefined;
    if (isPriced && again.bytes?.equals(bytes)) this.#ours = new PricedAnswer(bytes);
  }

  /**
   * The exact grandTotal; undefined if the order was not priced.
   * @returns {bigint | undefined}
   */
  get total() {
    if (this.#ours) return this.#ours.total;
    this.#total ??= { money: this.#readTotal() };
    return this.#total.money;
  }

  #readTotal() {
    if (this.status !== undefined && this.status !== PRICED) return undefined;
    const [total, error] = this.members;
    const money = error && isString(error) ? undefined : moneyIn(total);
    return money !== undefined && money >= 0n ? money : undefined; // no answer of this package says that
  }

  get members() {
    this.#members ??= isObject(this.bytes) ? membersOf(this.bytes, MEMBERS) : [];
    return this.#members;
  }

  /** Whether it says that the order failed, as opposed to saying nothing that can be compared. */
  get hasFailed() {
    if (this.status === null || this.total !== undefined) return false;
    if (this.status !== undefined) return this.status !== PRICED;
    const [, error] = this.members;
    return error !== undefined && isString(error);
  }

  /**
   * What the coupons took off: never more than there was to pay.
   * @param {bigint} total what was paid
   */
  couponMoney(total) {
    const [subTotal, fee, surcharge, vouchers] = this.members.slice(3).map((bytes) => moneyIn(bytes) ?? 0n);
    const without = subTotal + fee + surcharge - vouchers;
    return without > total ? without - total : 0n;
  }

  /** The rows: their bytes, and where in them each row's product, price and quantity stand. */
  rows() {
    if (this.#ours) return this.#ours.rows();
    const [, , list] = this.members;
    return list && isList(list) ? new Rows(list) : NO_ROWS;
  }
}

/** This package's answer to a stage. Each name stands in it once, so that it is read only as far as it has to be. */
export class PricedAnswer {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    const start = firstValue(bytes, GRAND_TOTAL);
    this.total = moneyIn(bytes, start, valueEnd(bytes, start));
  }

  rows() {
    return new Rows(this.bytes, firstValue(this.bytes, PRODUCT_LIST));
  }
}

class Rows {
  constructor(bytes, start = 0) {
    this.bytes = bytes;
    this.spans = bytes.length === 0 ? new Int32Array() : spansInList(bytes, ROW, start);
    this.length = this.spans.length / ROW_WIDTH;
  }

  cprcode(row) {
    const at = row * ROW_WIDTH;
    return this.bytes.latin1Slice(this.spans[at], this.spans[at + 1]);
  }

  /** D15: a row adds max(price × quantity, 0). */
  amount(row) {
    const { spans, bytes } = this;
    const at = row * ROW_WIDTH;
    const quantity = moneyIn(bytes, spans[at + 4], spans[at + 5]) ?? 0n;
    return quantity > 0n ? ((moneyIn(bytes, spans[at + 2], spans[at + 3]) ?? 0n) * quantity) / ONE : 0n;
  }

  /** Whether a row says the same of product, price and quantity as the row in its place. */
  isSame(row, other) {
    return this.#isEqual(row, other, ROW_WIDTH);
  }

  isSameProduct(row, other) {
    return this.#isEqual(row, other, 2);
  }

  /** Whether the first members of ROW, whose spans have so many numbers, are written alike. */
  #isEqual(row, other, width) {
    for (let at = row * ROW_WIDTH; at < row * ROW_WIDTH + width; at += 2) {
      const [start, end] = [this.spans[at], this.spans[at + 1]];
      const from = other.spans[at];
      if (end - start !== other.spans[at + 1] - from) return false;
      for (let index = start; index < end; index += 1) if (this.bytes[index] !== other.bytes[from + index - start]) return false;
    }
    return true;
  }
}

const NO_ROWS = new Rows(Buffer.alloc(0));

/**
 * What products add to the subtotal, before and after: the change of each product that changes, by its code.
 * @param {CapturedAnswer} before
 * @param {PricedAnswer} after
 * @returns {Map<string, bigint>}
 */
export function productChanges(before, after) {
  const changes = new Map();
  if (before.bytes.equals(after.bytes)) return changes;
  const [old, now] = [before.rows(), after.rows()];
  const count = (cprcode, change) => changes.set(cprcode, (changes.get(cprcode) ?? 0n) + change);
  for (let row = 0; row < Math.max(old.length, now.length); row += 1) {
    const isPair = row < old.length && row < now.length;
    if (isPair && old.isSame(row, now)) continue;
    if (isPair && old.isSameProduct(row, now)) {
      count(now.cprcode(row), now.amount(row) - old.amount(row));
      continue;
    }
    if (row < old.length) count(old.cprcode(row), -old.amount(row));
    if (row < now.length) count(now.cprcode(row), now.amount(row));
  }
  for (const [cprcode, change] of changes) if (change === 0n) changes.delete(cprcode);
  return changes;
}
