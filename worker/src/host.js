import { voucherKey } from "./keys.js";
import { createBulkReader } from "./kv.js";
import { createService } from "./service.js";

/**
 * The part of the pricer's host that no version of the catalogue changes. Its look-ups pass records and answers to the
 * pricer as unparsed text. A look-up without a binding is absent; an order that needs it fails (D41).
 *
 * @param {{ VOUCHERS?: KVNamespace, NATIONWIDE?: Fetcher, COUPONS?: Fetcher }} env
 * @param {{ nationwideUrl?: string, couponsUrl?: string, logText?: boolean }} services a URL replaces the binding
 * @returns {import("order-cost").Host}
 */
export function createHost(env, { nationwideUrl, couponsUrl, logText }) {
  const readVouchers = env.VOUCHERS && createBulkReader("voucher store", env.VOUCHERS);
  return {
    lookupVouchers: readVouchers && ((ids) => readVouchers(ids.map(voucherKey))),
    nationwideRate: createService("nationwide function", env.NATIONWIDE, nationwideUrl, logText),
    validateCoupons: createService("coupon service", env.COUPONS, couponsUrl, logText),
  };
}
