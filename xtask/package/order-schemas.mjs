// The schemas of an order, of its answer and of its error codes, made of what xtask-reference prints: what worker/openapi.json
// lacks of them. And those of a host's records.

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
/** What a host answers, for the playground. */
const RECORDS = {
  PriceRecord: "Price",
  RateRecord: "Rate",
  VoucherRecord: "Voucher",
  CouponAnswer: "DiscountResult",
  CouponDiscount: "Discount",
  LineDiscount: "LineDiscount",
};
const ENUMS = { ShippingType: "ShippingType", ScheduleMode: "Mode", NationwideMode: "NationwideMode" };

/** What a field holds: as it is read, and in an answer. */
const HELD = {
  productList: ["Product", "PricedProduct"],
  shipping: ["Shipping", "PricedShipping"],
  scheduleList: ["Schedule", "PricedSchedule"],
  validVouchers: ["", "RedeemedVoucher"],
  invalidVouchers: ["", "RefusedVoucher"],
  discountResult: ["", "DiscountResult"],
  discounts: ["CouponDiscount", "Discount"],
  lines: ["LineDiscount"],
  summary: ["", "Summary"],
};
/** The limit of a list's length. */
const LIMITS = { productList: "maxProducts", voucherId: "maxVouchers", couponCodeList: "maxCoupons", scheduleList: "maxSchedules" };
/** D12, D45 */
const LENGTHS = { productList: { minItems: 1 }, branchId: { maxLength: 128 } };
/** What may be negative (D20). */
const SIGNED = ["totalExcludeControlledProducts", "totalWeight"];
/** Of which the schema of what is read lists what is calculated, too (D2). */
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
export function orderSchemas(reference) {
  const { enums, objects, codes } = reference;
  const words = codes.map(({ word, messages }) => ({ word, means: messages.map(({ when }) => when).join(" ") }));
  return {
    ...all(SENT, (name) => readObject(name, reference)),
    ...all(ENUMS, (name) => choice(enums[name])),
    ...all(ANSWERED, (name) => answeredObject(name, objects)),
    ErrorCode: choice(words),
  };
}

export const recordSchemas = (reference) =>
  all(RECORDS, (name, schema) => ({ type: "object", title: schema, ...readObject(name, reference) }));

const all = (names, make) => Object.fromEntries(Object.entries(names).map(([schema, name]) => [schema, make(name, schema)]));

/** A list in Markdown: the file says what is listed. */
const choice = (words) => ({
  enum: words.map(({ word }) => word),
  description: words.map(({ word, means }) => `- \`${word}\`: ${withoutDecisions(means)}`).join("\n"),
});

function readObject(name, { objects, limits }) {
  const { read, response } = objects[name];
  const field = (key) => {
    const line = read.find((line) => line.key === key);
    const limit = limits.find((limit) => limit.name === LIMITS[key]);
    return line === undefined ? DROPPED : readField(line, limit?.default);
  };
  const keys = RETURNED.includes(name) ? response : read.map(({ key }) => key);
  const required = read.filter((line) => line.required).map(({ key }) => key);
  return { ...(required.length > 0 && { required }), properties: Object.fromEntries(keys.map((key) => [key, field(key)])) };
}

function readField(line, maxItems) {
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
