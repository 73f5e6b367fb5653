const { createPricer } = require("order-cost");
const { hostFromFacts } = require("order-cost/testing");
const { deliveryZones, facts, order } = require("./order.cjs");

async function main() {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  process.stdout.write(await pricer.calculateJson(JSON.stringify(order)));
}

main();
