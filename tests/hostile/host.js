// A host that answers whatever it is asked, in a turn of its own, with ordinary records.

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
