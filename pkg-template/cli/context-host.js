/** Hands each call of a pricer to the host of its order, which is the call's context. */
export const CONTEXT_HOST = Object.fromEntries(
  ["lookupPrices", "nationwideRate", "validateCoupons", "lookupVouchers"].map((name) => [
    name,
    (argument, ctx) => ctx.context[name](argument, ctx),
  ]),
);
