import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { createFetchHandler } from "order-cost/worker";
import { agreeing, deliveryZones, facts } from "./order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

export default {
  fetch: createFetchHandler(() => createPricer(hostFromFacts(facts), { deliveryZones })),
};
