/** A calculation's failure, as a PricingError states it. `path` is set for VALIDATION_ERROR only. */
export class Fault extends Error {
  constructor(code, message, { path, retryable = false } = {}) {
    super(message);
    this.code = code;
    this.path = path;
    this.retryable = retryable;
  }

  /** The `expect` of a golden case. */
  toExpectation() {
    const path = this.path === undefined ? {} : { path: this.path };
    return { error: this.message, code: this.code, ...path, retryable: this.retryable };
  }
}

export const LOOKUP_CODES = {
  lookupPrices: "PRICE_LOOKUP_FAILED",
  nationwideRate: "NATIONWIDE_RATE_FAILED",
  validateCoupons: "COUPON_SERVICE_FAILED",
  lookupVouchers: "VOUCHER_LOOKUP_FAILED",
};

/** D11. */
export function invalidOrder(path, what) {
  return new Fault("VALIDATION_ERROR", ["Invalid order", ...(path ? [path] : []), what].join(": "), { path });
}

/** D35. */
export function invalidZones(path, what) {
  return new Fault("VALIDATION_ERROR", ["Invalid deliveryZones", ...(path ? [path] : []), what].join(": "), { path });
}

/** D44: an answer that is not what the contract says. `places` are the parts that are there. */
export function invalidAnswer(lookup, places, what) {
  return new Fault(LOOKUP_CODES[lookup], [`Invalid answer from ${lookup}`, ...places, what].join(": "));
}

/** D41: a look-up that threw, rejected or was late. */
export function failedLookup(lookup, message) {
  return new Fault(LOOKUP_CODES[lookup], message, { retryable: true });
}

/** D19. */
export function overflow(field) {
  return new Fault("OVERFLOW", `Overflow: ${field} is too large`);
}
