import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { agreeing, deliveryZones, facts } from "../order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

export default defineEventHandler(async (event) => {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  return pricer.calculateJson(await readRawBody(event));
});
