import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { createFetchHandler } from "order-cost/worker";
import { deliveryZones, facts } from "./order.mjs";

export default {
  fetch: createFetchHandler(() => createPricer(hostFromFacts(facts), { deliveryZones })),
};
