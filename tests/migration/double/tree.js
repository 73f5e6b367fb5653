// A response as a tree of exact JSON that can be edited: numbers keep their text.
import { parseDecimal } from "../../model/decimal.js";
import { member, readJson } from "../../model/json.js";

export { member, readJson };

/** The text of a tree, without white space. */
export function writeJson(node) {
  if (node.type === "object") return `{${node.members.map(({ rawName, value }) => `${rawName}:${writeJson(value)}`).join(",")}}`;
  if (node.type === "array") return `[${node.items.map(writeJson).join(",")}]`;
  return node.raw;
}

/** The items of a list in an object. */
export const items = (object, name) => member(object, name).items;

/** The exact number in a field of a priced order, whose exponent is never absurd. */
export const amount = (object, name) => /** @type {import("../../model/decimal.js").Decimal} */ (parseDecimal(member(object, name).raw));

/** The nearest double of a field. */
export const double = (object, name) => Number(member(object, name).raw);

/** Replaces the text of a number, where the object has it. */
export function put(object, name, text) {
  const field = object.members.find((one) => one.name === name);
  if (field) field.value = { type: "number", raw: text };
}

/** Replaces an amount that the order states twice: itself, and in its summary. */
export function putTotal(order, name, text) {
  put(order, name, text);
  put(member(order, "summary"), name, text);
}

export function drop(object, name) {
  object.members = object.members.filter((one) => one.name !== name);
}

/** The order, its rows, schedules, discounts and summary: the objects whose keys the specification names. */
export function objectsOf(order) {
  const shipping = member(order, "shipping");
  const schedules = shipping.type === "object" ? [shipping, ...items(shipping, "scheduleList")] : [];
  const result = member(order, "discountResult");
  return [order, ...items(order, "productList"), ...schedules, ...items(result, "discounts"), member(order, "summary")];
}
