// Properties of a pricer's methods, for the package's own use and by name: its entries may be bundled apart. Not of the
// pricer: who replaces or wraps a method is still the one who is called.

/**
 * `calculateJson[lending].call(pricer, body, call, take)` gives what `take` makes of the response where that stands in the
 * module's memory. `take` has to copy it before it returns.
 */
export const lending = Symbol.for("order-cost.lending");

/** `explain[explainJson].call(pricer, body, call)`: `{order, steps}` as JSON text, exact; the order is calculateJson's. */
export const explainJson = Symbol.for("order-cost.explainJson");
