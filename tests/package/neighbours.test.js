// No order harms its neighbours: bounds on the memory and on the waits that the largest allowed orders cause.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createPricer } from "order-cost";
import { answeringHost } from "../hostile/host.js";
import { HOSTILE_ORDERS, PLAIN_ORDER, ZONES } from "../hostile/orders.js";
import { waitRatio } from "../hostile/waits.js";

const MIB = 2 ** 20;

describe("the module's memory (D45)", () => {
  const allowed = (body) => 16 * MIB + 8 * Buffer.byteLength(body);

  const taken = (body, entry) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(new URL("../hostile/memory.js", import.meta.url), { workerData: { body, entry } });
      thread.once("message", resolve);
      thread.once("error", reject);
    });

  for (const [what, body] of Object.entries(HOSTILE_ORDERS)) {
    for (const entry of ["calculateJson", "calculate", "explain"]) {
      test(`${entry}: ${what}`, async (context) => {
        const { bytes, outcome } = await taken(body, entry);
        const [mib, most] = [bytes, allowed(body)].map((count) => (count / MIB).toFixed(1).padStart(5));
        context.diagnostic(`${mib} of ${most} MiB: ${entry}, ${what} (${outcome})`);
        assert.ok(bytes <= allowed(body), `${bytes} bytes`);
      });
    }
  }
});

describe("plain orders beside 16 hostile ones", async () => {
  /**
   * Limit for the ratio to the wait alone. With orders of 150,000 vouchers, which the first version accepted, it was
   * 2,700.
   */
  const MOST_TIMES = 1_000;
  const pricer = await createPricer(answeringHost(), { deliveryZones: ZONES });
  const plain = new TextEncoder().encode(PLAIN_ORDER);

  for (const [what, order] of Object.entries(HOSTILE_ORDERS)) {
    test(what, async (context) => {
      const hostile = new TextEncoder().encode(order);
      const sendHostile = () => pricer.calculateJson(hostile).catch(() => {});
      const times = await waitRatio(() => pricer.calculateJson(plain), sendHostile, MOST_TIMES);
      context.diagnostic(`${times.toFixed(0).padStart(5)} times the worst wait: ${what}`);
      assert.ok(times < MOST_TIMES, `${times} times`);
    });
  }
});
