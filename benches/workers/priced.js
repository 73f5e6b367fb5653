// The package, with its facts in the isolate.
import facts from "facts";
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { keptHost } from "../orders/hosts.js";

export default { fetch: createFetchHandler(() => createPricer(keptHost(facts), { deliveryZones: facts.zones })) };
