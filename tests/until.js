import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";

const PATIENCE_MS = 10_000;

/** Waits for a condition. Fails if it does not become true in time. */
export async function until(what, holds, patienceMs = PATIENCE_MS) {
  for (const end = Date.now() + patienceMs; Date.now() < end; await wait(10)) {
    if (await holds()) return;
  }
  assert.fail(`waited in vain until ${what}`);
}
