/**
 * Why the coupon service refused a code. The service does not say; this reads the terms of the coupon.
 * @param {object | undefined} coupon of coupons.json
 * @param {{ownerId?: string, productList: object[]}} order with its priced rows
 * @param {number} now
 * @returns {{reason: "unknown" | "early" | "over" | "others" | "nothingFits" | "minimum" | "nothingLeft", date?: number, missing?: number}}
 */
export function refusalOf(coupon, order, now = Date.now()) {
  if (coupon === undefined) return { reason: "unknown" };
  const { startsAt, expiresAt, ownerIds, minimumSpend = 0 } = coupon;
  if (startsAt && now < Date.parse(startsAt)) return { reason: "early", date: Date.parse(startsAt) };
  if (expiresAt && now >= Date.parse(expiresAt)) return { reason: "over", date: Date.parse(expiresAt) };
  if (ownerIds && !ownerIds.includes(order.ownerId)) return { reason: "others" };
  const rows = order.productList.filter((row) => counts(coupon, row));
  if (rows.length === 0) return { reason: "nothingFits" };
  const spend = rows.reduce((sum, { rowTotal }) => sum + rowTotal, 0);
  if (spend < minimumSpend) return { reason: "minimum", missing: minimumSpend - spend };
  return { reason: "nothingLeft" };
}

/** Coupons never apply to controlled products. */
function counts({ cprcodes, categories }, { cprcode, isControlledProduct }) {
  if (isControlledProduct) return false;
  if (cprcodes) return cprcodes.includes(cprcode);
  return categories === undefined || categories.includes(Math.floor(cprcode / 10_000));
}
