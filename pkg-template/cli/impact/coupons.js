// The coupon service's captured answers. It is not asked again: what it would say of another order, nobody knows.

/**
 * The `coupons` of a host: a list's answer to the equal request, otherwise its first one; an answer alone as it is.
 * @param {undefined | string | { request?: object, answer: string }[]} coupons
 */
export function couponsOf(coupons) {
  if (!Array.isArray(coupons) || coupons.length === 0) return coupons;
  return (request) => {
    if (coupons.length === 1) return coupons[0].answer;
    const text = canonical(request);
    return (coupons.find((entry) => entry.request === undefined || canonical(entry.request) === text) ?? coupons[0]).answer;
  };
}

/** JSON text with sorted keys: equal values have equal texts. */
export function canonical(value) {
  return JSON.stringify(value, (_key, inner) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner));
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
