import { hostFromFacts } from "order-cost/testing";
import { createPricer } from "order-cost/url";
import { deliveryZones, facts, order } from "./order.mjs";

async function show() {
  const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
  const bytes = await pricer.calculateJson(JSON.stringify(order));
  document.querySelector("#priced").textContent = new TextDecoder().decode(bytes);
}

show();
