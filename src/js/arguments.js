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
  const request = JSON.parse(decoder.decode(head));
  let products;
  return {
    ...request,
    orderDate: finite(request.orderDate),
    get productList() {
      return (products ??= JSON.parse(decoder.decode(bytes)));
    },
    set productList(value) {
      products = value;
    },
  };
}

/** The nearest double of what lies beyond them all: an infinity would reach a service as null. */
function finite(number) {
  return Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE));
}

/**
 * Calls a function of the host and adds what it returned to `returned`, with its slot and how many keys it was asked for.
 * Gives nothing then; else what it threw, in a list that is empty where there is no such function. Caught here: each
 * exception that crosses to Rust would keep a place in the module's table for ever.
 */
export function callHost(host, name, argument, context, returned, slot, keys) {
  try {
    const callback = host?.[name];
    if (typeof callback !== "function") return [];
    returned.push({ slot, keys, value: callback.call(host, argument, context) });
    return undefined;
  } catch (thrown) {
    return [thrown];
  }
}
