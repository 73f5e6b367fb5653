/** A field in which two responses differ. */
export interface FieldDifference {
  /** Where, as in `productList[0].price`. */
  path: string;
  /** What the left one has; `undefined` where it is missing. */
  left: unknown;
  /** What the right one has; `undefined` where it is missing. */
  right: unknown;
  /**
   * How far they are apart:
   * - `missing`: one side does not have it
   * - `type`: its JSON types differ
   * - `numberFormat`: the same number, written otherwise (seen only between texts)
   * - `underHalfSatang`: numbers less than 0.005 apart
   * - `value`: anything else
   */
  kind: "missing" | "type" | "numberFormat" | "underHalfSatang" | "value";
}

/**
 * Compares two responses, as JSON texts or as objects, field by field. The order of keys does not matter; none: `[]`.
 *
 * ```js
 * compareOrders('{"grandTotal":100.0}', '{"grandTotal":100}');
 * // [{ path: "grandTotal", left: 100, right: 100, kind: "numberFormat" }]
 * ```
 */
export function compareOrders(left: string | object, right: string | object): FieldDifference[];
