// No order harms its neighbours: bounds on the waits that the largest allowed orders cause.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { answeringHost } from "../../hostile/host.js";
import { HOSTILE_ORDERS, PLAIN_ORDER, ZONES } from "../../hostile/orders.js";
import { waitRatio } from "../../hostile/waits.js";

describe("plain orders beside 16 hostile ones", async () => {
  /**
   * Limit for the ratio to the wait alone. Without a limit on vouchers (D45), orders of 150,000 of them make it 2,700.
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
