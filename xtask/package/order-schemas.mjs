// The schemas of an order, of its answer and of its error codes, made of what xtask-reference prints: what worker/openapi.json
// lacks of them.
import { meaningOf } from "./error-codes.mjs";

/** The objects of a request, the objects of an answer and the enums, by the names of their schemas. */
const SENT = { Order: "Order", Product: "Product", Shipping: "Shipping", Schedule: "Schedule" };
const ANSWERED = {
  PricedOrder: "Order",
  PricedProduct: "Product",
  PricedShipping: "Shipping",
  PricedSchedule: "Schedule",
  DiscountResult: "DiscountResult",
  Discount: "Discount",
  Summary: "Summary",
};
const ENUMS = { ShippingType: "ShippingType", ScheduleMode: "Mode", NationwideMode: "NationwideMode" };

/** What a field holds: in a request, and in an answer. */
const HELD = {
  productList: ["Product", "PricedProduct"],
  shipping: ["Shipping", "PricedShipping"],
  scheduleList: ["Schedule", "PricedSchedule"],
  validVouchers: ["", "RedeemedVoucher"],
  invalidVouchers: ["", "RefusedVoucher"],
  discountResult: ["", "DiscountResult"],
  discounts: ["", "Discount"],
  summary: ["", "Summary"],
};
/** The limit of a list's length. */
const LIMITS = { productList: "maxProducts", voucherId: "maxVouchers", couponCodeList: "maxCoupons", scheduleList: "maxSchedules" };
/** D12, D45 */
const LENGTHS = { productList: { minItems: 1 }, branchId: { maxLength: 128 } };
/** What may be negative (D20). */
const SIGNED = ["totalExcludeControlledProducts", "totalWeight"];
/** Of which the schema of a request lists what is calculated, too (D2). */
const RETURNED = ["Schedule"];
const DROPPED = { $ref: "#/components/schemas/AnyJson", description: "Dropped: the answer holds the calculated one." };

/** What stands before a sentence. */
const UNITS = { baht: "THB", kilograms: "kg" };
/** What an answer says of a field that is passed on, where that is more than whence it comes. */
const PASSED_ON = {
  time: "Unix timestamp, from the order",
  degrees: "In degrees, from the order",
  strings: "From the order, repeated ones included",
};

/** By the names of the schemas: what the file does not have of each. */
export function orderSchemas({ objects, enums, codes, limits }) {
  const maxItems = (key) => limits.find(({ name }) => name === LIMITS[key])?.default;
  const sent = (name) => sentObject(name, objects[name], maxItems);
  const answered = (name) => answeredObject(name, objects);
  const words = codes.map((code) => ({ word: code.word, means: meaningOf(code) }));
  return { ...all(SENT, sent), ...all(ENUMS, (name) => choice(enums[name])), ...all(ANSWERED, answered), ErrorCode: choice(words) };
}

const all = (names, make) => Object.fromEntries(Object.entries(names).map(([schema, name]) => [schema, make(name)]));

/** A list in Markdown: the file says what is listed. */
const choice = (words) => ({
  enum: words.map(({ word }) => word),
  description: words.map(({ word, means }) => `- \`${word}\`: ${withoutDecisions(means)}`).join("\n"),
});

function sentObject(name, { read, response }, maxItems) {
  const field = (key) =>
    sentField(
      read.find((line) => line.key === key),
      maxItems(key),
    );
  const keys = RETURNED.includes(name) ? response : read.map(({ key }) => key);
  const required = read.filter((line) => line.required).map(({ key }) => key);
  return { ...(required.length > 0 && { required }), properties: Object.fromEntries(keys.map((key) => [key, field(key)])) };
}

function sentField(line, maxItems) {
  if (line === undefined) return DROPPED;
  const { key, required, default: otherwise, means } = line;
  return {
    ...shape(line, !required, HELD[key]?.[0]),
    ...(!required && { default: otherwise }),
    ...LENGTHS[key],
    ...(maxItems !== undefined && { maxItems }),
    description: withUnit(line, withoutDecisions(means)),
  };
}

function answeredObject(name, objects) {
  const { response } = objects[name];
  const properties = Object.fromEntries(response.map((key) => [key, answeredField(key, name, objects)]));
  return { required: response, properties, additionalProperties: false };
}

/** A field that the object does not have is the order's. */
function answeredField(key, name, objects) {
  const find = (lines) => lines.find((line) => line.key === key);
  const object = objects[name];
  const isOwn = find([...object.read, ...object.added]) !== undefined;
  const { read, added } = isOwn ? object : objects.Order;
  const calculated = find(added);
  const line = { ...find(read), ...calculated };
  const { minItems } = LENGTHS[key] ?? {};
  const isPassedOn = calculated === undefined && name in SENT;
  const means = isOwn ? withoutDecisions(line.means) : "As in the order.";
  const description = isPassedOn ? passedOn(line) : withUnit(line, means);
  return { ...shape(line, line.default === null, HELD[key]?.[1]), ...(minItems && { minItems }), description };
}

function passedOn({ kind, default: otherwise }) {
  return `${PASSED_ON[kind] ?? "From the order"}${otherwise === undefined ? "" : `; default \`${JSON.stringify(otherwise)}\``}.`;
}

const withUnit = ({ kind }, text) => (kind in UNITS ? `${UNITS[kind]}: ${text.replace(/^[A-Z]/, (letter) => letter.toLowerCase())}` : text);

/** By the kind of a line. */
function shape({ key, kind, of }, isNullable, held) {
  const typed = (type) => ({ type: isNullable ? [type, "null"] : type });
  const either = (name) => (isNullable ? { anyOf: [reference(name), { type: "null" }] } : reference(name));
  const listOf = (items) => ({ ...typed("array"), items });
  const amount = SIGNED.includes(key) ? typed("number") : reference("Amount");
  const shapes = {
    string: () => typed("string"),
    flag: () => typed("boolean"),
    number: () => typed("number"),
    time: () => typed("number"),
    degrees: () => (isNullable ? reference("OptionalDegrees") : typed("number")),
    integer: () => reference(isNullable ? "OptionalInteger" : "Integer"),
    baht: () => amount,
    kilograms: () => amount,
    factor: () => amount,
    word: () => either(Object.keys(ENUMS).find((name) => ENUMS[name] === of)),
    any: () => reference("AnyJson"),
    array: () => listOf(reference("AnyJson")),
    strings: () => listOf({ type: "string" }),
    objects: () => listOf(reference(held)),
    object: () => either(held),
  };
  return shapes[kind]();
}

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });

/** The document has no links to decisions. */
const withoutDecisions = (text) => text.replace(/ \(D\d+(?:, D\d+)*\)/g, "");
