import { evaluate } from "../services/coupons/index.js";
import { rateFor } from "../services/nationwide/index.js";

/**
 * A host that answers from the seed files, by the services' own rules, without a server. The demo page prices with it.
 * @param {object} seed
 * @param {Record<string, object>} [seed.prices] prices.json; the page has a catalogue in its place
 * @param {Record<string, object>} seed.vouchers vouchers.json
 * @param {import("../services/nationwide/rates.js").Table} seed.rates rates.json
 * @param {import("../services/coupons/rules.js").Coupon[]} seed.coupons coupons.json
 * @param {() => number} [seed.now] the clock that coupons are dated by, in milliseconds since 1970
 * @returns {Required<import("order-cost").Host>}
 */
export function createSeedHost({ prices, vouchers, rates, coupons, now = Date.now }) {
  return {
    lookupPrices: (keys) => keys.map(({ cprcode, branchId }) => own(prices, `${cprcode}/${branchId}`)),
    nationwideRate: (query) => rateFor(query, rates),
    validateCoupons: (request) => evaluate(request, coupons, now()),
    lookupVouchers: (voucherIds) => voucherIds.map((voucherId) => own(vouchers, voucherId)),
  };
}

/** A voucher may be asked for as "constructor": only the table's own keys are found. */
const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);
