import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";

/** How long a busy machine may take for anything. Whoever waits longer waits in vain. */
export const PATIENCE_MS = 120_000;

/** Variables of a service that leaves a busy machine its time. A test of a deadline sets that one. */
export const UNHURRIED = { DEADLINE_MS: `${PATIENCE_MS}`, ORDER_DEADLINE_MS: `${PATIENCE_MS}` };

/** Waits for a condition. Fails if it does not become true. */
export async function until(what, holds) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(10)) {
    if (await holds()) return;
  }
  assert.fail(`waited in vain until ${what}`);
}
