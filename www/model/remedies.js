import { ship } from "./edits.js";

/**
 * How the visitor can fix a problem that is not about one row.
 * @param {import("order-cost").PricingError} problem
 * @param {import("./shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @returns {{text: string, run: () => void} | undefined} `text`: a key of the texts
 */
export function remedyOf({ code, subject }, { branches }, basket) {
  if (subject?.voucherId !== undefined) {
    const others = () => (basket.order.voucherId ?? []).filter((id) => id !== subject.voucherId);
    return { text: "mend.removeVoucher", run: () => basket.setVouchers(others()) };
  }
  const branch = branches.find(({ brcode }) => brcode === subject?.brcode);
  if (code === "BRANCH_NOT_IN_POLYGON" && branch) {
    return { text: "mend.movePin", run: () => ship(basket, { shippingLat: branch.lat, shippingLon: branch.lon }) };
  }
  return undefined;
}
