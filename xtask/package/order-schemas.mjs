// The schemas of an order, of its answer and of its error codes, made of what xtask-reference prints: what worker/openapi.json
// lacks of them. And those of a host's records.

import { answeredName, enumName, isOfOrder, NAMES, nameIn, withUnit } from "./names.mjs";

/** The limit of a list's length. */
const LIMITS = { productList: "maxProducts", voucherId: "maxVouchers", couponCodeList: "maxCoupons", scheduleList: "maxSchedules" };
/** D12, D45 */
const LENGTHS = { productList: { minItems: 1 }, branchId: { maxLength: 128 } };
/** What may be negative (D20). */
const SIGNED = ["totalExcludeControlledProducts", "totalWeight"];
/** Of which the schema of what is read lists what is calculated, too (D2). */
const RETURNED = ["Schedule"];
const DROPPED = { $ref: "#/components/schemas/AnyJson", description: "Dropped: the answer holds the calculated one." };

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
    ...all("sent", (name) => readObject(name, reference)),
    ...Object.fromEntries(Object.entries(enums).map(([name, words]) => [enumName(name), choice(words)])),
    ...all("answered", (name) => answeredObject(name, objects)),
    ErrorCode: choice(words),
  };
}

export const recordSchemas = (reference) =>
  all("record", (name, schema) => ({ type: "object", title: schema, ...readObject(name, reference) }));

/** The schemas of the objects that have this name. */
function all(part, make) {
  const named = Object.entries(NAMES).filter(([, names]) => part in names);
  return Object.fromEntries(named.map(([name, { [part]: schema }]) => [schema, make(name, schema)]));
}

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
    ...shape(line, !required, readName),
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
  const isPassedOn = calculated === undefined && isOfOrder(name);
  const means = isOwn ? withoutDecisions(line.means) : "As in the order.";
  const description = isPassedOn ? passedOn(line) : withUnit(line, means);
  return { ...shape(line, line.default === null, answeredName), ...(minItems && { minItems }), description };
}

function passedOn({ kind, default: otherwise }) {
  return `${PASSED_ON[kind] ?? "From the order"}${otherwise === undefined ? "" : `; default \`${JSON.stringify(otherwise)}\``}.`;
}

const readName = (line) => nameIn(line, "sent", "record");

/** By the kind of a line. `nameOf` names the schema of what it holds. */
function shape(line, isNullable, nameOf) {
  const { key, kind, of } = line;
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
    word: () => either(enumName(of)),
    any: () => reference("AnyJson"),
    array: () => listOf(reference("AnyJson")),
    strings: () => listOf({ type: "string" }),
    objects: () => listOf(reference(nameOf(line))),
    object: () => either(nameOf(line)),
  };
  return shapes[kind]();
}

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });

/** The document has no links to decisions. */
const withoutDecisions = (text) => text.replace(/ \(D\d+(?:, D\d+)*\)/g, "");
