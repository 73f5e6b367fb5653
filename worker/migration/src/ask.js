// Asks a side for the comparison alone.
import { within } from "../../../pkg/within.js";
import { errorText, log } from "../../src/log/log.js";

/** The other side answers nobody: it may take as long as an order does by default. */
export const DEADLINE_MS = 10_000;

export const UNREACHABLE = { status: null, copy: { reason: "unreachable" } };
const LATE = { status: null, copy: { reason: "timeout" } };

/**
 * A side's answer, in time.
 * @param {{ ask(order: object, room: import("./body.js").Room, signal: AbortSignal): Promise<object> }} side
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

/** An answer with its text, or why it has none, and the time that it took. */
export async function finished({ copy, ...answer }, startedAt) {
  return { ...(await copy), ...answer, ms: Date.now() - startedAt };
}
