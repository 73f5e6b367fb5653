/** The methods by the prototype of those that have them: to find them takes longer than to bind them. */
const methods = new WeakMap();

/**
 * Completes an object for callers. Its methods work without it, as in `orders.map(pricer.calculate)`; and Vue makes no
 * proxy of it, through which its private fields would be out of reach.
 */
export function handedOut(object) {
  const prototype = Object.getPrototypeOf(object);
  if (!methods.has(prototype)) methods.set(prototype, methodsOf(prototype));
  for (const [name, method] of methods.get(prototype)) {
    // With its variant, see core/symbols.js.
    const value = Object.assign(method.bind(object), method);
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  }
  return Object.preventExtensions(object);
}

/** The methods by their names, inherited ones too, but not those of all objects. */
function methodsOf(prototype) {
  const parent = Object.getPrototypeOf(prototype);
  if (parent === null) return new Map();
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([name, { value }]) => [name, value]);
  return new Map([...methodsOf(parent), ...own.filter(([name, value]) => typeof value === "function" && name !== "constructor")]);
}
