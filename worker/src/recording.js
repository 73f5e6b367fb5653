import { recordingHost } from "order-cost/testing";

/** Notes what an order is priced from, so that it can be priced again. An order that has one asks it, not the host. */
export class Recording {
  /** @type {import("./order.js").Order | undefined} */
  order;
  #host;

  begin(order) {
    this.order = order;
    order.recording = this;
  }

  /**
   * The host with a record of its answers. An order has one host, that of its version's pricer.
   * @param {import("order-cost").Host} host
   */
  of(host) {
    return (this.#host ??= recordingHost(host));
  }

  /** @returns {import("order-cost/testing").Facts} */
  get facts() {
    // A binding carries no object without a prototype.
    const plain = (fact) => (Array.isArray(fact) ? fact : Object.fromEntries(Object.entries(fact)));
    return Object.fromEntries(Object.entries(this.#host?.facts ?? {}).map(([name, fact]) => [name, plain(fact)]));
  }
}

/**
 * The same host for all orders of a pricer, which notes its answers to those that are recorded.
 * @param {import("order-cost").Host} host
 * @returns {import("order-cost").Host}
 */
export function recordable(host) {
  const asks = Object.entries(host).filter(([, ask]) => ask);
  return Object.fromEntries(
    asks.map(([name, ask]) => [
      name,
      (question, ctx) => (ctx.context.recording ? ctx.context.recording.of(host)[name](question, ctx) : ask(question, ctx)),
    ]),
  );
}
