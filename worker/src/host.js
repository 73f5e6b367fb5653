import { priceKey, voucherKey } from "./keys.js";
import { createBulkReader } from "./kv.js";
import { createService } from "./service.js";

/**
 * The pricer's host on Cloudflare: its look-ups are KV namespaces and services. They pass records and answers to the
 * pricer as unparsed text. A look-up without a binding is absent; an order that needs it fails (D41).
 *
 * @param {{ PRICES?: KVNamespace, VOUCHERS?: KVNamespace, NATIONWIDE?: Fetcher, COUPONS?: Fetcher }} env
 * @param {{ nationwideUrl?: string, couponsUrl?: string, logText?: boolean }} services a URL replaces the binding
 * @returns {import("order-cost").Host}
 */
export function createHost(env, { nationwideUrl, couponsUrl, logText }) {
  const readPrices = env.PRICES && createBulkReader("price store", env.PRICES);
  const readVouchers = env.VOUCHERS && createBulkReader("voucher store", env.VOUCHERS);
  return {
    lookupPrices:
      readPrices && ((keys) => readPrices(keys.map(({ cprcode, branchId }) => priceKey(cprcode, branchId)))),
    lookupVouchers: readVouchers && ((ids) => readVouchers(ids.map(voucherKey))),
    nationwideRate: createService("nationwide function", env.NATIONWIDE, nationwideUrl, logText),
    validateCoupons: createService("coupon service", env.COUPONS, couponsUrl, logText),
  };
}
