/** Why an entry got no module, in words for its user. */
export class LoadFailure extends Error {
  /**
   * @param {string} message
   * @param {{ retryable: boolean, cause?: unknown }} options `retryable`: it may load the next time
   */
  constructor(message, { retryable, cause }) {
    super(message, { cause });
    this.retryable = retryable;
  }
}
