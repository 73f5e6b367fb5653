// What the package's entries give each other through the objects of users. `Symbol.for` finds it by name, because they may be
// bundled separately.

/**
 * `calculateJson[lending].call(pricer, body, call, take)` passes the response in the module's memory to `take` and
 * returns the result of `take`, which must copy the bytes before it returns; a promise of it only if the host has to be asked.
 * A property of the method, not of the pricer: if a user replaces or wraps the method, theirs has none and is called itself. A
 * proxy would hand on one of the pricer.
 */
export const lending = Symbol.for("order-cost.lending");

/** `createPricer[checks]` holds the functions of `order-cost/data`, so that both entries share one module instance. */
export const checks = Symbol.for("order-cost.checks");

/** `pricer[explainJson](body, call)` returns `{order, steps}` as exact JSON text; `order` is the response of `calculateJson`. */
export const explainJson = Symbol.for("order-cost.explainJson");

/** `call[observing]` is the Observation of a fetch handler. A pricer that wraps another one hands `call` on. */
export const observing = Symbol.for("order-cost.observing");

/**
 * `request[reading](mostBytes, call)` reads a body as its server can do best: its bytes, at once if they have come; undefined
 * if there are more than `mostBytes`. `call.signal` ends the reading.
 */
export const reading = Symbol.for("order-cost.reading");

/** `call[lateSignal].signal` is `call.signal`. To read it makes it, so it is read only if the order has to wait. */
export const lateSignal = Symbol.for("order-cost.lateSignal");

/** `request[spentMs]` is what its server spent of the order's deadline before the order began. */
export const spentMs = Symbol.for("order-cost.spentMs");

/** `request[identified]` keeps the id of a request that came without one. A request without the property is looked up in a WeakMap. */
export const identified = Symbol.for("order-cost.identified");

/** `options[replying](status, body, headers)` makes an answer in place of a `Response`. The handler returns it, or a promise of it. */
export const replying = Symbol.for("order-cost.replying");

/**
 * `options[heading](headers, context, observation)` adds to the headers of an order's answer. To add them to a finished response
 * takes as long as to write it.
 */
export const heading = Symbol.for("order-cost.heading");
