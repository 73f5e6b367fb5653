import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { agreeing, deliveryZones, facts, order } from "./order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

async function show() {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  const bytes = await pricer.calculateJson(JSON.stringify(order));
  document.querySelector("#priced").textContent = new TextDecoder().decode(bytes);
}

show();
