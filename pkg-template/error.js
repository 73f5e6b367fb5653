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

/** D41: what an aborted calculation rejects with. */
export function aborted(cause) {
  return { code: "ABORTED", message: "The calculation was aborted", retryable: false, cause };
}

/** Whatever was thrown, as a PricingError. The facts of one come from the module. */
export function pricingError(thrown, requestId) {
  if (thrown instanceof PricingError) return thrown;
  const isFacts = typeof thrown?.code === "string" && typeof thrown.retryable === "boolean";
  return new PricingError(isFacts ? thrown : internal(thrown), requestId);
}

function internal(cause) {
  return { code: "INTERNAL", message: "Internal error", retryable: false, cause };
}
