import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { deliveryZones, facts } from "../order.mjs";

export default defineEventHandler(async (event) => {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  return pricer.calculateJson(await readRawBody(event));
});
