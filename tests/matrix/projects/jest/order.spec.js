const { writeFileSync } = require("node:fs");
const whole = require("order-cost");
const withoutBaskets = require("order-cost/calculate");
const { hostFromFacts } = require("order-cost/testing");
const { agreeing, deliveryZones, facts, order } = require("./order.cjs");

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

test("an order is priced", async () => {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  writeFileSync("priced.json", await pricer.calculateJson(JSON.stringify(order)));
});
