const whole = require("order-cost");
const withoutBaskets = require("order-cost/calculate");
const { hostFromFacts } = require("order-cost/testing");
const { agreeing, deliveryZones, facts, order } = require("./order.cjs");

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

async function main() {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  process.stdout.write(await pricer.calculateJson(JSON.stringify(order)));
}

main();
