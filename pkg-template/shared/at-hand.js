/**
 * `lookupPrices[atHand](context)` gives the catalogue's version that the function asks for an order of this context, if it has
 * one: its `id`; `shelf(make)`, the catalogue's shelf, which `make` makes if it has none; and perhaps `took(count, context)`,
 * which is told how many prices came from the shelf. `Symbol.for` finds it by name, because pricer and catalogue may be bundled
 * separately.
 */
export const atHand = Symbol.for("order-cost.atHand");
