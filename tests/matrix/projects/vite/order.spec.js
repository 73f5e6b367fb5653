import { writeFileSync } from "node:fs";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { test } from "vitest";
import { deliveryZones, facts, order } from "./order.mjs";

test("an order is priced", async () => {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  writeFileSync("priced.json", await pricer.calculateJson(JSON.stringify(order)));
});
