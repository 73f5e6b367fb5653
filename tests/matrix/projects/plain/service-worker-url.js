import { createPricer } from "./node_modules/order-cost/url.js";
import { hostFromFacts } from "./node_modules/order-cost/testing.js";
import { createFetchHandler } from "./node_modules/order-cost/worker.js";
import { deliveryZones, facts } from "./order.mjs";

const handle = createFetchHandler(() => createPricer(hostFromFacts(facts), { deliveryZones }));

addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.url.endsWith("/calculatecost4")) event.respondWith(handle(event.request, undefined, event));
});
