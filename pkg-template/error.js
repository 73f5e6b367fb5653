/** The problems of snapshots, with what they were made from. */
const problems = new WeakMap();

/** Why an order was not priced. See index.d.ts. */
export class PricingError extends Error {
  constructor({ code, message, path, retryable, subject, cause }, requestId) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "PricingError";
    this.code = code;
    if (path !== undefined) this.path = path;
    this.retryable = retryable;
    if (subject !== undefined) this.subject = subject;
    this.requestId = requestId;
  }

  /** The HTTP body (D40), or a problem of a basket. */
  toJSON() {
    return problems.has(this) ? this.toProblem() : { error: this.message };
  }

  toProblem() {
    const { code, message, path, subject, retryable } = this;
    return { code, message, path, subject, retryable };
  }
}

/** Makes a problem of a basket's snapshot: frozen, and whole as JSON. */
export function problemOf(facts, requestId) {
  const problem = new PricingError(facts, requestId);
  problems.set(problem, facts);
  Object.freeze(problem.subject);
  return Object.freeze(problem);
}

/** A problem as an error to throw: whoever catches it may change it. */
export function thrownOf(problem) {
  const { subject, ...facts } = problems.get(problem);
  return new PricingError({ ...facts, subject: subject && { ...subject } }, problem.requestId);
}

/** Why a calculation failed, still without the request id. It never leaves the package: see {@link pricingError}. */
export class Refusal extends Error {
  /** @param {{ code: string, message: string, path?: string, retryable: boolean, subject?: object, call?: number, cause?: unknown }} facts */
  constructor(facts) {
    super(facts.message);
    this.facts = facts;
  }

  get code() {
    return this.facts.code;
  }
}

/** D41: the caller has aborted with this reason, which becomes the error's `cause`. */
export const aborted = (reason) =>
  new Refusal({ code: "ABORTED", message: "The calculation was aborted", retryable: false, cause: reason });

/** The module instance was damaged, perhaps by another calculation, and replaced: the caller can try again. */
export const damaged = (cause) => new Refusal(internal(cause, true));

/** Turns any thrown value into a PricingError. A value that is not a refusal is a fault of this package. */
export function pricingError(thrown, requestId) {
  if (thrown instanceof PricingError) return thrown;
  return new PricingError(thrown instanceof Refusal ? thrown.facts : internal(thrown, false), requestId);
}

/** Runs what may throw a refusal outside of any calculation. Throws only PricingErrors. */
export function refusing(run, newRequestId) {
  try {
    return run();
  } catch (thrown) {
    throw pricingError(thrown, newRequestId());
  }
}

const internal = (cause, retryable) => ({ code: "INTERNAL", message: "Internal error", retryable, cause });
