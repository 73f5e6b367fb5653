/**
 * @typedef {object} Refusal
 * @property {"unknown" | "early" | "over" | "others" | "nothingFits" | "minimum" | "nothingLeft"} reason
 * @property {number} [date] of "early" and "over"
 * @property {number} [missing] of "minimum"
 *
 * @typedef {Pick<import("order-cost").PricedProduct, "cprcode" | "isControlledProduct" | "rowTotal">} Row
 *
 * Why the coupon service refused a code. The service does not say; this reads the terms of the coupon.
 * @param {import("./shop.js").Coupon | undefined} coupon
 * @param {{ownerId?: string | null, productList: readonly Row[]}} order with its priced rows
 * @param {number} now
 * @returns {Refusal}
 */
export function refusalOf(coupon, order, now = Date.now()) {
  if (coupon === undefined) return { reason: "unknown" };
  const { startsAt, expiresAt, ownerIds, minimumSpend = 0 } = coupon;
  if (startsAt && now < Date.parse(startsAt)) return { reason: "early", date: Date.parse(startsAt) };
  if (expiresAt && now >= Date.parse(expiresAt)) return { reason: "over", date: Date.parse(expiresAt) };
  if (ownerIds && !ownerIds.includes(order.ownerId ?? "")) return { reason: "others" };
  const rows = order.productList.filter((row) => counts(coupon, row));
  if (rows.length === 0) return { reason: "nothingFits" };
  const spend = rows.reduce((sum, { rowTotal }) => sum + rowTotal, 0);
  if (spend < minimumSpend) return { reason: "minimum", missing: minimumSpend - spend };
  return { reason: "nothingLeft" };
}

/**
 * Coupons never apply to controlled products.
 * @param {import("./shop.js").Coupon} coupon
 * @param {Row} row
 */
function counts({ cprcodes, categories }, { cprcode, isControlledProduct }) {
  if (isControlledProduct) return false;
  if (cprcodes) return cprcodes.includes(cprcode);
  return categories === undefined || categories.includes(Math.floor(cprcode / 10_000));
}
