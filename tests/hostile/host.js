// A host that answers every call with ordinary records, in a later turn of the event loop.

const PRICE = '{"price":19.75,"originalPrice":25,"weight":0.5}';
const VOUCHER = '{"ownerId":"malee","value":7.25,"isActive":true,"isUsed":false}';

const later = (answer) => async (question) => answer(question);

/** @returns {import("order-cost").Host} */
export const answeringHost = () => ({
  lookupPrices: later((keys) => keys.map(() => PRICE)),
  nationwideRate: later(() => '{"deliveryFee":60}'),
  lookupVouchers: later((ids) => ids.map(() => VOUCHER)),
  validateCoupons: later(({ couponCodeList }) => ({ failedCoupons: couponCodeList })),
});
