const { writeFileSync } = require("node:fs");
const { createPricer } = require("order-cost");
const { hostFromFacts } = require("order-cost/testing");
const { deliveryZones, facts, order } = require("./order.cjs");

test("an order is priced", async () => {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  writeFileSync("priced.json", await pricer.calculateJson(JSON.stringify(order)));
});
