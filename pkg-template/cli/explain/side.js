// One side of a comparison: an answer, and the lists that its totals are made of.
import { keyOf, member, typeOf } from "../../shared/index.js";
import { amountIn, isNear, isNegative, isZero, minus, plus, sum, ZERO } from "./amounts.js";

const LISTS = ["rows", "schedules", "discounts", "vouchers"];

/** A list is undefined if the answer has none: what it lacks is not empty. */
export class Side {
  #shares = new Map();

  /** `recordOf(row)` gives a row's price record, where the facts are known. */
  constructor(order, recordOf) {
    this.order = order;
    this.recordOf = recordOf;
    this.rows = listIn(order, "productList");
    this.schedules = listIn(member(order, "shipping"), "scheduleList");
    this.discounts = listIn(member(order, "discountResult"), "discounts");
    this.vouchers = listIn(order, "validVouchers");
  }

  amount(name) {
    return amountIn(this.order, name);
  }

  /** The same side with other values in some of its objects, see Values. */
  with(values) {
    const side = new Side(values.in(this.order), this.recordOf);
    for (const name of LISTS) side[name] = this[name]?.map((item) => values.in(item));
    return side;
  }

  /**
   * D16: whether `discountedRowTotal` may be `before` less a coupon's share. A response does not show the shares; all of
   * them together must be the amounts of some of the coupons.
   */
  isShared(row, before) {
    const shareOf = (one) => minus(before(one), amountIn(one, "discountedRowTotal"));
    const share = shareOf(row);
    if (share === undefined || isNegative(share) || isZero(share)) return false;
    if (!this.#shares.has(before)) this.#shares.set(before, this.#areShares(this.rows?.map(shareOf)));
    return this.#shares.get(before);
  }

  #areShares(shares) {
    const all = sum(shares);
    if (all === undefined || this.discounts === undefined || shares.some(isNegative)) return false;
    const amounts = this.discounts
      .flatMap((discount) => ["discount", "bogoDiscount", "two4Discount"].map((name) => amountIn(discount, name)))
      .filter((amount) => amount !== undefined && !isZero(amount));
    return subsetSums(amounts).some((amount) => isNear(amount, all));
  }
}

/** Other values for members of objects. */
export class Values {
  #byObject = new Map();

  put(object, name, value) {
    if (!this.#byObject.has(object)) this.#byObject.set(object, {});
    this.#byObject.get(object)[keyOf(name)] = value;
  }

  /** The object with its other values. */
  in(object) {
    return this.#byObject.has(object) ? { ...object, ...this.#byObject.get(object) } : object;
  }
}

/** The most coupons whose combinations are tried. */
const MOST_AMOUNTS = 12;

function subsetSums(amounts) {
  if (amounts.length > MOST_AMOUNTS) return [sum(amounts)];
  return amounts.reduce((sums, amount) => sums.concat(sums.map((one) => plus(one, amount))), [ZERO]);
}

/** The list in a field of an object; undefined if there is none. */
export function listIn(object, name) {
  const value = member(object, name);
  return typeOf(value) === "array" ? value : undefined;
}
