import { priceKey, voucherKey } from "./keys.js";
import { createBulkReader } from "./kv.js";
import { createService } from "./service.js";

/**
 * The pricer's host on Cloudflare: KV namespaces and services as its look-ups. They translate and never decide: records
 * and answers go to the pricer as the text they are. What is not bound is left out, and an order that needs it is told so.
 *
 * @param {{ PRICES?: KVNamespace, VOUCHERS?: KVNamespace, NATIONWIDE?: Fetcher, COUPONS?: Fetcher }} env
 * @param {{ nationwideUrl?: string, couponsUrl?: string, logText?: boolean }} services a URL is asked in place of the binding
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
