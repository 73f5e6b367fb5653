/**
 * Why a look-up or a store failed. `message` is for the client (D41). The log shows `shown` in place of it, and `detail`:
 * both hold nothing of an order.
 */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ shown?: string, detail?: string, retryable?: boolean }} [options] not `retryable`: the order is at fault, not
   *   a service of ours, and fails again. The pricer takes it over into its error
   */
  constructor(message, { shown = message, detail, retryable = true } = {}) {
    super(message);
    this.shown = shown;
    this.detail = detail;
    this.retryable = retryable;
  }
}

/** What an error of the network says. On Node that is "fetch failed"; its cause has the code that tells why. */
export const networkText = (error) => [error?.message, error?.cause?.code].filter(Boolean).join(": ");
