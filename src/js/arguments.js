// What a host's callbacks are given, made where that is cheap, and the call itself.

const decoder = new TextDecoder();

/** The keys of `lookupPrices`. */
export function priceKeys(cprcodes, branchId) {
  const keys = [];
  for (const cprcode of cprcodes) {
    const short = cprcode | 0;
    // What V8 keeps as an integer it finds in a host's Map in half the time.
    keys.push({ cprcode: short === cprcode ? short : cprcode, branchId });
  }
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

/**
 * Calls a function of the host: `[value]`, `[thrown, true]`, or nothing where there is no such function. Caught here:
 * each exception that crosses to Rust would keep a place in the module's table for ever.
 */
export function callHost(host, name, argument, context) {
  try {
    const callback = host?.[name];
    return typeof callback === "function" ? [callback.call(host, argument, context)] : [];
  } catch (thrown) {
    return [thrown, true];
  }
}
