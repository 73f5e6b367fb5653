/**
 * What there is to say of a failure, but the request id. `call` is the number of the look-up that has failed.
 *
 * @typedef {import("order-cost").FactKeys} FactKeys
 * @typedef {{ code: string, message: string, path?: string, retryable: boolean, subject?: object, notKnown?: FactKeys, call?: number, cause?: unknown }} FailureFacts
 */

/**
 * The problems of snapshots, with what they were made from.
 * @type {WeakMap<PricingError, FailureFacts>}
 */
const problems = new WeakMap();

/** Why an order was not priced. See index.d.ts. */
export class PricingError extends Error {
  /**
   * @param {FailureFacts} facts
   * @param {string} requestId
   */
  constructor({ code, message, path, retryable, subject, notKnown, cause }, requestId) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "PricingError";
    this.code = code;
    if (path !== undefined) this.path = path;
    this.retryable = retryable;
    if (subject !== undefined) this.subject = subject;
    if (notKnown !== undefined) this.notKnown = notKnown;
    this.requestId = requestId;
  }

  /** The HTTP body (D40), or a problem of a basket. */
  toJSON() {
    return problems.has(this) ? this.toProblem() : { error: this.message };
  }

  toProblem() {
    const { code, message, path, subject, notKnown, retryable } = this;
    return { code, message, path, subject, ...(notKnown && { notKnown }), retryable };
  }
}

/**
 * Makes a problem of a basket's snapshot: frozen, and whole as JSON.
 * @param {FailureFacts} facts
 * @param {string} requestId
 */
export function problemOf(facts, requestId) {
  const problem = new PricingError(facts, requestId);
  problems.set(problem, facts);
  Object.freeze(problem.subject);
  return Object.freeze(problem);
}

/**
 * A problem as an error to throw: whoever catches it may change it.
 * @param {PricingError} problem of `problemOf`
 */
export function thrownOf(problem) {
  const { subject, ...facts } = /** @type {FailureFacts} */ (problems.get(problem));
  return new PricingError({ ...facts, subject: subject && { ...subject } }, problem.requestId);
}

/** Why a calculation failed, still without the request id. It never leaves the package: see {@link pricingError}. */
export class Refusal extends Error {
  /** @param {FailureFacts} facts */
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

/**
 * The module instance was damaged, perhaps by another calculation, and replaced: the caller can try again.
 * @param {unknown} cause
 */
export const damaged = (cause) => new Refusal(internal(cause, true));

/**
 * Turns any thrown value into a PricingError. A value that is not a refusal is a fault of this package.
 * @param {unknown} thrown
 * @param {string} requestId
 */
export function pricingError(thrown, requestId) {
  if (thrown instanceof PricingError) return thrown;
  return new PricingError(thrown instanceof Refusal ? thrown.facts : internal(thrown, false), requestId);
}

/**
 * Runs what may throw a refusal outside of any calculation. Throws only PricingErrors.
 * @template T
 * @param {() => T} run
 * @param {() => string} newRequestId
 */
export function refusing(run, newRequestId) {
  try {
    return run();
  } catch (thrown) {
    throw pricingError(thrown, newRequestId());
  }
}

/** @type {(cause: unknown, retryable: boolean) => FailureFacts} */
const internal = (cause, retryable) => ({ code: "INTERNAL", message: "Internal error", retryable, cause });
