import process from "node:process";
import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { agreeing, deliveryZones, facts, order } from "./order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
process.stdout.write(await pricer.calculateJson(JSON.stringify(order)));
