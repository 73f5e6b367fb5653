// The package, with its facts in the isolate.
import facts from "facts";
import { createFetchHandler } from "../../pkg/worker.js";
import { createPricer } from "../../pkg/workerd.js";
import { keptHost } from "../hosts.js";

export default { fetch: createFetchHandler(() => createPricer(keptHost(facts), { deliveryZones: facts.zones })) };
