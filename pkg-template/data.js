// The package's own checks, for whoever fills a store. See data.d.ts. They come from the main entry, which knows how to
// load the module here.
import { createPricer } from "order-cost";
import { checks } from "./internal.js";

export const { checkPrice, checkZones } = createPricer[checks];
