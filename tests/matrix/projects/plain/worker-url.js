import { createPricer } from "./node_modules/order-cost/url.js";
import { hostFromFacts } from "./node_modules/order-cost/testing.js";
import { deliveryZones, facts, order } from "./order.mjs";

const pricer = await createPricer(hostFromFacts(facts), { deliveryZones });
const bytes = await pricer.calculateJson(JSON.stringify(order));
postMessage(new TextDecoder().decode(bytes));
