// Hosts that have every answer at hand, as JSON text. A call's `context` is the answers to its order (see work.mjs).

/** Answers at once. */
export const readyHost = {
  lookupPrices: (_keys, { context }) => context.prices,
  nationwideRate: ({ nationwideMode }, { context }) => context.rates[nationwideMode],
  lookupVouchers: (_ids, { context }) => context.vouchers,
  validateCoupons: (_request, { context }) => context.coupons,
};

/** The same behind promises, as a host that does input and output answers. */
export const promisingHost = Object.fromEntries(
  Object.entries(readyHost).map(([name, lookup]) => [name, async (argument, call) => lookup(argument, call)]),
);

/** One that writes what it asks the coupon service, as a host must that sends it. */
export const sendingHost = {
  ...readyHost,
  validateCoupons(request, { context }) {
    JSON.stringify(request);
    return context.coupons;
  },
};

/** Answers from facts (see work.mjs) that an isolate keeps. */
export function keptHost({ prices, rates, vouchers, coupons }) {
  const records = new Map(Object.entries(prices).map(([cprcode, record]) => [Number(cprcode), record]));
  return {
    lookupPrices: (keys) => keys.map(({ cprcode }) => records.get(cprcode)),
    nationwideRate: ({ nationwideMode }) => rates[nationwideMode],
    lookupVouchers: (ids) => ids.map((id) => vouchers[id]),
    validateCoupons: ({ couponCodeList }) => coupons[couponCodeList.join()],
  };
}
