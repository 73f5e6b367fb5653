/** The failure of a calculation, with the fields of a PricingError. Only VALIDATION_ERROR has a `path`. */
export class Fault extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ path?: string, retryable?: boolean }} [options]
   */
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

/** D44: an invalid answer. `places` are the parts of its path. */
export function invalidAnswer(lookup, places, what) {
  return new Fault(LOOKUP_CODES[lookup], [`Invalid answer from ${lookup}`, ...places, what].join(": "));
}

/** D41: a look-up that threw, rejected or was too late. */
export function failedLookup(lookup, message) {
  return new Fault(LOOKUP_CODES[lookup], message, { retryable: true });
}

/** D19. */
export function overflow(field) {
  return new Fault("OVERFLOW", `Overflow: ${field} is too large`);
}
