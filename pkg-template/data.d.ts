/** A column of a price record that an order cannot be priced with. */
export interface PriceFault {
  /** The key in the record, such as `price` or `weight`; empty if the text is not JSON or no object. */
  column: string;
  /** What is right; it completes "expected …": `an amount of 0 or more`. */
  expected: string;
}

/** A part of delivery zones that the pricer refuses. */
export interface ZoneFault {
  /** The path of the part, such as `features[3].properties.deliveryFee`; empty for the whole. */
  path: string;
  /** What is right; it completes "expected …": `a closed ring`. */
  expected: string;
}

/**
 * Checks a price record before it is stored, by the rules of the pricer itself. Returns every wrong column, in the order
 * `price`, `originalPrice`, `settlementPrice`, `weight`, `isControlledProduct`, or `[]` if an order can be priced with
 * the record. Loads the WebAssembly module on the first call, and returns at once: it takes about a microsecond.
 *
 * ```js
 * for (const { column, expected } of checkPrice('{"price":"37.25","weight":-1}')) {
 *   console.log(`${column}: expected ${expected}`);
 *   // price: expected an amount of 0 or more
 *   // weight: expected an amount of 0 or more
 * }
 * ```
 *
 * @param record the record's JSON text, as it is to stand in the store. Its numbers are read as text, exactly
 */
export function checkPrice(record: string): PriceFault[];

/**
 * Checks delivery zones before they are stored, by the rules of the pricer itself. Returns the first fault, or `[]` if
 * the pricer takes the zones.
 *
 * @param zones the GeoJSON text
 */
export function checkZones(zones: string): ZoneFault[];
