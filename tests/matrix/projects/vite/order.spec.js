import { writeFileSync } from "node:fs";
import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { test } from "vitest";
import { agreeing, deliveryZones, facts, order } from "./order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

test("an order is priced", async () => {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  writeFileSync("priced.json", await pricer.calculateJson(JSON.stringify(order)));
});
