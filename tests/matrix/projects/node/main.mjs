import process from "node:process";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { deliveryZones, facts, order } from "./order.mjs";

const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
process.stdout.write(await pricer.calculateJson(JSON.stringify(order)));
