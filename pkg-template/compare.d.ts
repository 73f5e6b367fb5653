/** A field in which two responses differ. */
export interface FieldDifference {
  /** As in `productList[0].price`. */
  path: string;
  left: unknown;
  right: unknown;
  /**
   * - `missing`: one side does not have it
   * - `type`: its JSON types differ
   * - `numberFormat`: the same number, written otherwise (seen only between texts)
   * - `underHalfSatang`: numbers less than 0.005 apart
   * - `value`: anything else
   */
  kind: "missing" | "type" | "numberFormat" | "underHalfSatang" | "value";
}

/** Compares two responses, as JSON texts or as objects. The order of keys does not matter. */
export function compareOrders(left: string | object, right: string | object): FieldDifference[];
