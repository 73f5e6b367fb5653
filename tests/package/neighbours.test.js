// No order harms its neighbours: bounds on the memory that the largest allowed orders cause. The night measures the waits.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import { allAtNight, someOf } from "../effort.js";
import { HOSTILE_ORDERS } from "../hostile/orders.js";

const MIB = 2 ** 20;

describe("the module's memory (D45)", () => {
  const allowed = (body) => 16 * MIB + 8 * Buffer.byteLength(body);

  const taken = (body, entry) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(new URL("../hostile/memory.js", import.meta.url), { workerData: { body, entry } });
      thread.once("message", resolve);
      thread.once("error", reject);
    });

  for (const [what, body] of someOf(Object.entries(HOSTILE_ORDERS))) {
    for (const entry of allAtNight(["explain"], ["calculateJson", "calculate", "explain"])) {
      test(`${entry}: ${what}`, async (context) => {
        const { bytes, outcome } = await taken(body, entry);
        const [mib, most] = [bytes, allowed(body)].map((count) => (count / MIB).toFixed(1).padStart(5));
        context.diagnostic(`${mib} of ${most} MiB: ${entry}, ${what} (${outcome})`);
        assert.ok(bytes <= allowed(body), `${bytes} bytes`);
      });
    }
  }
});
