/** A field in which two responses differ. */
export interface FieldDifference {
  /** The field, such as `productList[0].price`. */
  path: string;
  /** The value on the left; `undefined` if it is missing. */
  left: unknown;
  /** The value on the right; `undefined` if it is missing. */
  right: unknown;
  /**
   * How the values differ:
   * - `missing`: one side lacks the field
   * - `type`: the JSON types differ
   * - `numberFormat`: the same number in another notation (found only between texts)
   * - `underHalfSatang`: the numbers differ by less than 0.005
   * - `value`: any other difference
   */
  kind: "missing" | "type" | "numberFormat" | "underHalfSatang" | "value";
}

/**
 * Compares two responses field by field. Each is JSON text or an object. The order of keys does not matter. Without
 * differences, the result is `[]`. A text that is not JSON throws a `SyntaxError`.
 *
 * ```js
 * compareOrders('{"grandTotal":100.0}', '{"grandTotal":100}');
 * // [{ path: "grandTotal", left: 100, right: 100, kind: "numberFormat" }]
 * ```
 */
export function compareOrders(left: string | object, right: string | object): FieldDifference[];
