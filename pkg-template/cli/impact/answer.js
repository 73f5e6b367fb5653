// What an answer says of money. Its text is read where it stands, and only what is asked for.
import { moneyIn } from "./money.js";
import { eachItem, eachMember, membersOf } from "./scan.js";

const PRICED = 200;
const COUPON_MONEY = ["cartDiscount", "bogoDiscount", "deliveryFee", "discountedDeliveryFee"];
const ROW = ["cprcode", "price", "quantity"];

/** An answer to an order, captured or of a stage. */
export class Answer {
  #total;

  /**
   * @param {string} text
   * @param {number | null | undefined} status
   * @param {{ code: string, message: string }} [failure]
   */
  constructor(text, status, failure) {
    this.text = text;
    this.status = status;
    this.failure = failure;
  }

  /** The exact grandTotal; undefined if the order was not priced. */
  get total() {
    if (this.#total === undefined) this.#total = this.#read() ?? null;
    return this.#total ?? undefined;
  }

  #read() {
    if (this.status !== undefined && this.status !== PRICED) return undefined;
    const [total, error] = membersOf(this.text, ["grandTotal", "error"]);
    return error?.startsWith('"') ? undefined : moneyIn(total);
  }

  /** Whether it says that the order failed, as opposed to saying nothing that can be compared. */
  get hasFailed() {
    if (this.status === null || this.total !== undefined) return false;
    return this.status === undefined ? membersOf(this.text, ["error"])[0]?.startsWith('"') === true : this.status !== PRICED;
  }

  /** What the coupons took off. */
  couponMoney() {
    const [cart, bogo, fee, discounted] = membersOf(this.text, COUPON_MONEY).map((text) => moneyIn(text) ?? 0n);
    return cart + bogo + fee - discounted;
  }

  /** Calls `onRow` with the texts of each row's product, price and quantity. */
  eachRow(onRow) {
    let list = -1;
    eachMember(this.text, this.text.indexOf("{"), (name, start) => {
      if (name === "productList") list = start;
    });
    if (this.text[list] !== "[") return;
    eachItem(this.text, list, (start) => onRow(...membersOf(this.text, ROW, start)));
  }
}

/**
 * What products add to the subtotal, before and after: the change of each product that changes, by its code.
 * @param {Answer} before
 * @param {Answer} after
 * @returns {Map<string, bigint>}
 */
export function productChanges(before, after) {
  const changes = new Map();
  if (before.text === after.text) return changes;
  const rows = [];
  before.eachRow((...row) => rows.push(row));
  let index = 0;
  after.eachRow((...row) => {
    const old = rows[index];
    index += 1;
    if (old && row.every((text, place) => text === old[place])) return;
    if (old) count(changes, old, -1n);
    count(changes, row, 1n);
  });
  for (const row of rows.slice(index)) count(changes, row, -1n);
  for (const [cprcode, change] of changes) if (change === 0n) changes.delete(cprcode);
  return changes;
}

/** D15: a row adds max(price × quantity, 0). */
function count(changes, [cprcode, price, quantity], sign) {
  const amount = (moneyIn(price) ?? 0n) * (/^\d+$/.test(quantity) ? BigInt(quantity) : 0n);
  changes.set(cprcode, (changes.get(cprcode) ?? 0n) + sign * (amount > 0n ? amount : 0n));
}
