/**
 * `calculateJson[lending].call(pricer, body, call, take)` gives what `take` makes of the response where that stands in the
 * module's memory. `take` has to copy it before it returns. A property of the method, not of the pricer: who replaces
 * or wraps `calculateJson` is still the one who is called. For the package's own use, and by name: its entries may be
 * bundled apart.
 */
export const lending = Symbol.for("order-cost.lending");
