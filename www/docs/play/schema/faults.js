// What is wrong with an order or with facts, and where.
import { checkOrder, checkPrice, checkZones } from "order-cost/data";
import { DEFAULTS, entriesOf, FACT_TABLES, factPlace, isObject, keyFault, MODES } from "order-cost/internal";
import { factsIn } from "../../../orders/index.js";
import { FACTS } from "./facts-schema.js";
import { ORDER, unlisted } from "./schema.js";

/**
 * @typedef {import("./schema.js").Keys} Keys
 *
 * @typedef {object} Fault
 * @property {"error" | "info"} severity
 * @property {string} message
 * @property {Keys} [keys] where it stands
 * @property {boolean} [isKey] whether the key is wrong, not its value
 * @property {number} [offset] where the text stops being JSON
 */

/**
 * @param {Keys} keys
 * @param {string} message
 * @returns {Fault}
 */
const fault = (keys, message) => ({ severity: "error", keys, message });
/**
 * @param {Keys} keys
 * @param {string} message
 * @returns {Fault}
 */
const hint = (keys, message) => ({ severity: "info", keys, message });

/** What hosts read of facts. Zones may have any members, and captured facts say when they were asked. */
const READ = { ...FACTS, properties: { ...FACTS.properties, deliveryZones: {}, at: {} } };

/**
 * The keys of a path, as the package writes it: `productList[3].quantity`, `prices["1001/1000"]`.
 * @param {string} path
 */
function keysOf(path) {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|[^.[\]]+/g);
  return [...parts].map(([part, quoted, index]) =>
    quoted !== undefined ? JSON.parse(`"${quoted}"`) : index !== undefined ? Number(index) : part,
  );
}

/**
 * Why a text is not JSON; undefined if it is. The engine says where, but Safari.
 * @param {string} text
 * @returns {Fault | undefined}
 */
export function jsonFault(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = /** @type {SyntaxError} */ (error);
    const [, position] = /position (\d+)/.exec(message) ?? [];
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
    const offset = position === undefined ? offsetOf(text, line, column) : Number(position);
    const isAtEnd = /unexpected end|end of data/i.test(message);
    const said = message
      .replace(/^JSON\.parse: /, "")
      .replace(/ (in JSON|after JSON)? ?at (position|line).*$/s, "")
      .replace(/, (\.\.\.)?".*$/s, "");
    return { severity: "error", message: `This is not JSON: ${said}`, offset: isAtEnd ? text.length : offset };
  }
}

/**
 * @param {string} text
 * @param {string} [line] counted from 1, as the column
 * @param {string} [column]
 */
function offsetOf(text, line, column) {
  if (line === undefined) return undefined;
  const before = text.split("\n", Number(line) - 1);
  return before.reduce((length, { length: more }) => length + more + 1, 0) + Number(column) - 1;
}

/**
 * @param {import("../link/state.js").State} state its order is JSON
 * @returns {Fault[]}
 */
export function orderFaults({ order, limits, input }) {
  const faults = checkOrder(order, { ...(limits && { limits }), ...(input && { input }) }).map(({ path, message }) =>
    fault(keysOf(path), message),
  );
  const value = JSON.parse(order);
  const dropped = unlisted(value, ORDER).map((keys) => ({ ...hint(keys, "The pricer does not read this key"), isKey: true }));
  return [...faults, ...dropped, ...(faults.length === 0 ? surprises(value) : [])];
}

/**
 * What a correct order may not mean.
 * @param {import("order-cost").OrderInput} order
 * @returns {Fault[]}
 */
function surprises({ productList, shipping, voucherId, ownerId }) {
  const rows = productList.flatMap(({ quantity }, line) =>
    quantity <= 0 ? [hint(["productList", line, "quantity"], "The row costs nothing (D13)")] : [],
  );
  const vouchers = voucherId?.length && !ownerId ? [hint(["voucherId"], "No voucher counts: the order has no ownerId")] : [];
  const delivery = shipping?.shippingType === "DELIVERY" ? surprisesOf(shipping) : [];
  return [...rows, ...vouchers, ...delivery];
}

/**
 * @param {import("order-cost").ShippingInput} shipping
 * @returns {Fault[]}
 */
function surprisesOf({ scheduleList, shippingLat, shippingLon }) {
  const schedules = scheduleList ?? [];
  if (schedules.length === 0) return [hint(["shipping"], "A delivery without a scheduleList costs nothing: each schedule has a fee")];
  const fees = schedules.flatMap(({ deliveryFee }, index) =>
    deliveryFee === undefined
      ? []
      : [hint(["shipping", "scheduleList", index, "deliveryFee"], "The fee is that of the facts: of deliveryZones, or of rates")],
  );
  const isByZone = ({ mode = DEFAULTS.Schedule.mode }) => MODES[mode]?.source === "zone";
  const isNowhere = (shippingLat ?? shippingLon) === undefined && schedules.some(isByZone);
  return [
    ...fees,
    ...(isNowhere ? [hint(["shipping"], "Without shippingLat and shippingLon the address is at 0, 0, where no zone is")] : []),
  ];
}

/**
 * The faults of facts that are JSON. None: they can be asked.
 * @param {string} text
 * @returns {Fault[]}
 */
export function factsFaults(text) {
  const value = JSON.parse(text);
  if (!isObject(value)) return [fault([], "expected an object with prices, vouchers, rates, coupons or deliveryZones")];
  const tables = FACT_TABLES.filter((name) => value[name] !== undefined && !isObject(value[name]));
  if (tables.length > 0) return tables.map((name) => fault([name], "expected an object"));
  if (!["undefined", "object"].includes(typeof value.coupons)) return [fault(["coupons"], "expected an object")];
  const unknown = unlisted(value, READ);
  return [
    ...unknown.map((keys) => ({ ...hint(keys, "No host reads this"), isKey: true })),
    ...FACT_TABLES.flatMap((name) => keyFaults(name, value[name] ?? {})),
    ...priceFaults(factsIn(text).prices),
    ...zoneFaults(Object.fromEntries(entriesOf(text)).deliveryZones),
  ];
}

/**
 * @param {string} table
 * @param {object} records
 * @returns {Fault[]}
 */
function keyFaults(table, records) {
  return Object.keys(records).flatMap((key) => {
    const wrong = keyFault(table, key);
    return wrong === undefined ? [] : [{ ...fault([table, key], wrong), isKey: true }];
  });
}

/** @param {Record<string, string>} prices the text of each */
function priceFaults(prices) {
  return Object.entries(prices).flatMap(([key, record]) => {
    if (record === "null") return [];
    return checkPrice(record).map(({ column, expected }) => fault(["prices", key, ...(column ? [column] : [])], `expected ${expected}`));
  });
}

/** @param {string | undefined} zones */
function zoneFaults(zones) {
  return zones === undefined
    ? []
    : checkZones(zones).map(({ path, expected }) => fault(["deliveryZones", ...keysOf(path)], `expected ${expected}`));
}

/**
 * What an error of the pricer is about: a place in the order, or one in the facts.
 * @param {import("order-cost").PricingError} error
 * @param {import("../link/state.js").State} state
 * @returns {{ order?: Fault, facts?: Fault }}
 */
export function placedError(error, { order, facts }) {
  const fact = factPlace(error, () => JSON.parse(order), JSON.parse(facts));
  if (fact) return { facts: fault(fact.keys, fact.wrong) };
  const keys = placeInOrder(error, JSON.parse(order));
  return keys ? { order: fault(keys, error.message) } : {};
}

/**
 * @param {import("order-cost").PricingError} error
 * @param {import("order-cost").OrderInput} order
 * @returns {Keys | undefined}
 */
function placeInOrder({ code, path, subject = {} }, { voucherId: ids }) {
  const { line, voucherId, schedule, lookup } = subject;
  if (line !== undefined) return ["productList", line, "cprcode"];
  if (voucherId !== undefined) return ["voucherId", ids?.indexOf(voucherId) ?? 0];
  if (schedule !== undefined) return ["shipping", "scheduleList", schedule];
  if (lookup === "validateCoupons") return ["couponCodeList"];
  return code === "VALIDATION_ERROR" && path ? keysOf(path) : undefined;
}
