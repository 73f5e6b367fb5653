/** A host that answers from facts, for test suites. See testing.d.ts. */
export function hostFromFacts({ prices, vouchers = {}, rates = {}, coupons }) {
  const calls = [];
  const called = (name, argument) => calls.push({ name, argument });
  return {
    calls,

    lookupPrices(keys) {
      called("lookupPrices", keys);
      return keys.map(({ cprcode, branchId }) => {
        const atBranch = `${cprcode}/${branchId}`;
        return own(prices, Object.hasOwn(prices, atBranch) ? atBranch : `${cprcode}`);
      });
    },

    nationwideRate(query) {
      called("nationwideRate", query);
      const rate = own(rates, query.nationwideMode);
      if (rate === undefined) throw new Error(`No rate for ${query.nationwideMode}`);
      return rate;
    },

    validateCoupons(request) {
      called("validateCoupons", request);
      if (typeof coupons === "function") return coupons(request);
      return coupons ?? { discounts: [], failedCoupons: request.couponCodeList };
    },

    lookupVouchers(voucherIds) {
      called("lookupVouchers", voucherIds);
      return voucherIds.map((id) => own(vouchers, id));
    },
  };
}

/** Reads own properties only: an id may be `constructor` or `__proto__`. */
function own(facts, key) {
  return Object.hasOwn(facts, key) ? facts[key] : undefined;
}
