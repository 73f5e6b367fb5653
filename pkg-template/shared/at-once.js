/**
 * Names a twin that waits for nobody, and gives undefined or throws if it would have to: `handler[atOnce](request, body, context)` of a
 * fetch handler, whose `request.url` is a path, gives `{ status, headers, body }`; `catalogue[atOnce]()` gives the version in
 * use. Bundles share it like `atHand`.
 */
export const atOnce = Symbol.for("order-cost.atOnce");
