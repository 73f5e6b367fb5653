import type { OrderInput, PricerOptions } from "order-cost";

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
 * Checks a price record before it is stored, by the rules of the pricer itself. Returns every wrong column, in the
 * sequence of `PriceRecord`, or `[]` if an order can be priced with the record. Loads the WebAssembly module on the first
 * call, and returns at once: it takes about a microsecond.
 *
 * ```js
 * for (const { column, expected } of checkPrice('{"price":"37.25","weight":-1}')) {
 *   console.log(`${column}: expected ${expected}`);
 *   // price: expected an amount as a JSON number, such as 12.5
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

/** A part of an order that the pricer refuses. */
export interface OrderFault {
  /** The path of the part, such as `productList[17].quantity`; empty for the whole. */
  path: string;
  /** What is wrong, for developers: `required`, `expected an integer`, `expected at most 100 vouchers` (D11). */
  message: string;
}

/**
 * How the pricer reads orders: give the same as to `createPricer`. Its other options change nothing; an unknown one is
 * refused (D47).
 */
export type OrderCheckOptions = Pick<PricerOptions, "limits" | "input">;

/**
 * Checks an order by the rules of the pricer itself. Returns every fault in document order, missing fields last in their
 * object, or `[]` if the pricer takes the order. The first fault is the one that `calculate` reports. Prices, vouchers and
 * zones are not looked up.
 *
 * ```js
 * checkOrder({ productList: [{ cprcode: 1001, quantity: "3" }], voucherId: ["V1", null] });
 * // [
 * //   { path: "productList[0].quantity", message: "expected an integer" },
 * //   { path: "productList[0].productName", message: "required" },
 * //   { path: "voucherId[1]", message: "expected a string" },
 * // ]
 * ```
 *
 * What is not JSON, or has more bytes than the limit, is one fault with an empty path. Entries beyond the limit of a list
 * are not checked (D45). A value that is passed on (D6) has one fault at most, and so has a key that a text repeats.
 *
 * Loads the WebAssembly module on the first call, and returns at once. On a page, await `preload()` first: older browsers
 * refuse to compile the module while the page waits.
 *
 * @param order an order as `calculate` takes it; a string is JSON text, as `calculateJson` takes it
 */
export function checkOrder(order: unknown, options?: OrderCheckOptions): OrderFault[];

/** A Standard Schema (https://standardschema.dev) of orders, version 1. */
export interface OrderSchema {
  /** What libraries read. */
  readonly "~standard": {
    /** The version of the standard. */
    readonly version: 1;
    /** Whose schema it is. */
    readonly vendor: "order-cost";
    /** The types of what it takes and gives, for the compiler alone. Absent at run time. */
    readonly types?:
      | {
          /** What a form holds once it is right. */
          readonly input: OrderInput;
          /** The same. */
          readonly output: OrderInput;
        }
      | undefined;
    /** The order itself, or an issue for each fault of `checkOrder`, in its order. Returns at once. */
    readonly validate: (value: unknown) => OrderValidation;
  };
}

/** A right order, or what is wrong with it. */
export type OrderValidation =
  | {
      /** The order that was given. */
      readonly value: OrderInput;
      /** Absent: there are none. */
      readonly issues?: undefined;
    }
  | {
      /** The faults, at least one. */
      readonly issues: readonly OrderIssue[];
    };

/** A fault as Standard Schema has it. */
export interface OrderIssue {
  /** As in {@link OrderFault}. */
  readonly message: string;
  /** The keys and indices that lead to the part: `["productList", 17, "quantity"]`. */
  readonly path: readonly (string | number)[];
}

/**
 * The order as a Standard Schema, for form libraries and validators: `useForm({ resolver: standardSchemaResolver(orderSchema) })`
 * in React Hook Form. `validate` takes objects only.
 */
export const orderSchema: OrderSchema;

/** The same for a pricer with these options. */
export function orderSchemaWith(options: OrderCheckOptions): OrderSchema;
