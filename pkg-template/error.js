/** Why an order was not priced. See index.d.ts. */
export class PricingError extends Error {
  constructor({ code, message, path, retryable, cause }, requestId) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "PricingError";
    this.code = code;
    if (path !== undefined) this.path = path;
    this.retryable = retryable;
    this.requestId = requestId;
  }

  /** The HTTP body (D40). */
  toJSON() {
    return { error: this.message };
  }
}

/** Why a calculation failed, before anybody knows its request's id. It never leaves the package. */
export class Refusal extends Error {
  /** @param {{ code: string, message: string, path?: string, retryable: boolean, slot?: number, cause?: unknown }} facts */
  constructor(facts) {
    super(facts.message);
    this.facts = facts;
  }
}

/** D41: the caller has aborted, with this reason. */
export const aborted = (reason) =>
  new Refusal({ code: "ABORTED", message: "The calculation was aborted", retryable: false, cause: reason });

/** Another calculation has damaged the instance of the module: this one can be tried again. */
export const damaged = (cause) => new Refusal(internal(cause, true));

/** Whatever was thrown, as a PricingError. What is no refusal is a fault of this package. */
export function pricingError(thrown, requestId) {
  if (thrown instanceof PricingError) return thrown;
  return new PricingError(thrown instanceof Refusal ? thrown.facts : internal(thrown, false), requestId);
}

const internal = (cause, retryable) => ({ code: "INTERNAL", message: "Internal error", retryable, cause });
