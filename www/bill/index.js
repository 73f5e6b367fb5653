// Views of what the visitor pays.
export { createAnnouncer } from "./announcer.js";
export { createBillView, figures } from "./bill-view.js";
export { createCheckoutView } from "./checkout.js";
export { createDiscountsView } from "./discounts.js";
export { ledgerBars } from "./ledger.js";
export { createZoneFinder } from "./zone-finder.js";
