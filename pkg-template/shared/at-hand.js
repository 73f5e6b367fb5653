/** `Symbol.for` finds it by name, because pricer and catalogue may be bundled separately. */
export const atHand = Symbol.for("order-cost.atHand");

/**
 * Says of a function `lookupPrices` which version of a catalogue it asks. `lookup[atHand].version(context)` gives for an order
 * of this context the version, if it has one: its `id`; `shelf(make)`, the catalogue's shelf, which `make` makes if it has
 * none; and perhaps `took(count, context)`, which is told how many prices came from the shelf. Copies of the function do not
 * count: they may do something else.
 *
 * @template {Function} Lookup
 * @param {Lookup} lookup
 * @param {(context: any) => object | undefined} version
 * @returns {Lookup}
 */
export function askingVersion(lookup, version) {
  return Object.defineProperty(lookup, atHand, { value: { of: lookup, version } });
}
