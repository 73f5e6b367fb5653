// Hosts that have every answer at hand, as JSON text. A call's `context` holds the answers to its order (see work.mjs).

/** Answers at once. */
export const readyHost = {
  lookupPrices: (_keys, { context }) => context.prices,
  nationwideRate: ({ nationwideMode }, { context }) => context.rates[nationwideMode],
  lookupVouchers: (_ids, { context }) => context.vouchers,
  validateCoupons: (_request, { context }) => context.coupons,
};

/** Answers with promises, like a host that does I/O. */
export const promisingHost = Object.fromEntries(
  Object.entries(readyHost).map(([name, lookup]) => [name, async (argument, call) => lookup(argument, call)]),
);

/** Also serializes the coupon request, as a host that sends it must. */
export const sendingHost = {
  ...readyHost,
  validateCoupons(request, { context }) {
    JSON.stringify(request);
    return context.coupons;
  },
};

/** Answers from facts (see work.mjs) that an isolate holds. */
export function keptHost({ prices, rates, vouchers, coupons }) {
  const records = new Map(Object.entries(prices).map(([cprcode, record]) => [Number(cprcode), record]));
  return {
    lookupPrices: (keys) => keys.map(({ cprcode }) => records.get(cprcode)),
    nationwideRate: ({ nationwideMode }) => rates[nationwideMode],
    lookupVouchers: (ids) => ids.map((id) => vouchers[id]),
    validateCoupons: ({ couponCodeList }) => coupons[couponCodeList.join()],
  };
}
