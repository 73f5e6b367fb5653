/**
 * Why a look-up or a store failed. `message` is for the client (D41). The log shows `shown` in place of it, and `detail`:
 * both hold nothing of an order.
 */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ shown?: string, detail?: string, isOrders?: boolean }} [options] `isOrders`: the order is at fault, not a
   *   service of ours
   */
  constructor(message, { shown = message, detail, isOrders = false } = {}) {
    super(message);
    this.shown = shown;
    this.detail = detail;
    this.isOrders = isOrders;
  }
}
