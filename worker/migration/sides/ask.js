// Asks a side for the comparison alone.
import { within } from "order-cost/internal";
import { errorText, log } from "../../src/log/index.js";

/** The other side answers nobody: it may take as long as an order does by default. */
export const DEADLINE_MS = 10_000;

/** @type {Begun} */
export const UNREACHABLE = { status: null, copy: { reason: "unreachable" } };
/** @type {Begun} */
const LATE = { status: null, copy: { reason: "timeout" } };

/**
 * @typedef {import("./body.js").Copy} Copy
 *
 * @typedef {object} Begun an answer whose text may still be on its way
 * @property {number | null} status null: there is none
 * @property {Copy | Promise<Copy>} copy
 * @property {string} [code] of the new side: why the order failed
 * @property {import("./fresh.js").PricedFrom} [pricedFrom] of the new side
 *
 * @typedef {Omit<Begun, "copy"> & { text?: string, reason?: string, ms: number }} Answer `text` is there if the answer is whole, `reason`
 *   says why it is not; `ms`: how long it took
 *
 * @typedef {object} Side
 * @property {(order: import("./order.js").Order, room: import("./body.js").Room, signal: AbortSignal) => Promise<Begun>} ask
 */

/**
 * A side's answer, in time.
 * @param {Side} side
 * @param {import("./order.js").Order} order
 * @param {import("./body.js").Room} room
 */
export function ask(side, order, room) {
  const startedAt = Date.now();
  const patience = new AbortController();
  const answer = side.ask(order, room, patience.signal).then((begun) => finished(begun, startedAt));
  return within(DEADLINE_MS, answer, () => finished(LATE, startedAt))
    .catch((error) => {
      log("warn", "fault", { requestId: order.requestId, message: "The other side could not be reached", cause: errorText(error) });
      return finished(UNREACHABLE, startedAt);
    })
    .finally(() => patience.abort());
}

/**
 * An answer with its text, or why it has none, and the time that it took.
 * @param {Begun} begun
 * @param {number} startedAt
 * @returns {Promise<Answer>}
 */
export async function finished({ copy, ...answer }, startedAt) {
  return { ...(await copy), ...answer, ms: Date.now() - startedAt };
}
