/** Why a catalogue has no answer. See catalogue.d.ts. */
export class CatalogueError extends Error {
  /**
   * @param {string} message for a client
   * @param {string} [detail] for an operator
   */
  constructor(message, detail) {
    super(message);
    this.name = "CatalogueError";
    this.detail = detail;
    this.retryable = true;
  }
}
