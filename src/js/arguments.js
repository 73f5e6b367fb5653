// What a host's callbacks are given, made where that is cheap.

const decoder = new TextDecoder();

/** The keys of `lookupPrices`. */
export function priceKeys(cprcodes, branchId) {
  const keys = [];
  for (const cprcode of cprcodes) keys.push({ cprcode, branchId });
  return keys;
}

/**
 * The request of `validateCoupons`, of which most hosts read a few fields: its products are
 * parsed when they are first looked at.
 */
export function couponRequest(head, productList) {
  const bytes = productList.slice(); // out of the module's memory, which moves on
  let products;
  return {
    ...JSON.parse(decoder.decode(head)),
    get productList() {
      return (products ??= JSON.parse(decoder.decode(bytes)));
    },
    set productList(value) {
      products = value;
    },
  };
}
