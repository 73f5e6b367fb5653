// Looks into a JSON Schema along the keys of a document.
import { ORDER_SCHEMAS } from "virtual:order-schemas";

/** The schema of an order: the part of the service's openapi.json that an order needs. */
export const ORDER = ORDER_SCHEMAS.Order;

/**
 * What a schema may stand for, without references and alternatives.
 * @param {object | undefined} schema
 * @returns {object[]}
 */
function shapesOf(schema) {
  if (schema === undefined || schema === true) return [];
  const { $ref, anyOf, ...own } = schema;
  if ($ref !== undefined) return shapesOf(ORDER_SCHEMAS[$ref.split("/").at(-1)]).map((shape) => ({ ...shape, ...own }));
  if (anyOf !== undefined) return anyOf.flatMap(shapesOf).map((shape) => ({ ...shape, ...own }));
  return [schema];
}

/**
 * The shapes at a place.
 * @param {object} schema
 * @param {readonly (string | number)[]} keys
 */
export function shapesAt(schema, keys) {
  let shapes = shapesOf(schema);
  for (const key of keys) shapes = shapes.flatMap((shape) => shapesOf(inside(shape, key)));
  return shapes;
}

function inside({ properties = {}, additionalProperties, items }, key) {
  if (typeof key === "number") return items;
  return Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

/** The types of a shape, as a list. */
export const typesOf = ({ type = [] }) => [type].flat();

/**
 * The keys that the schema does not list, where it lists any: the pricer drops them.
 * @param {unknown} value
 * @param {object} schema
 * @returns {(string | number)[][]} their paths
 */
export function unlisted(value, schema, keys = []) {
  if (typeof value !== "object" || value === null) return [];
  const shapes = shapesOf(schema);
  const entries = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
  return entries.flatMap(([key, inner]) => {
    const within = shapes.map((shape) => inside(shape, key)).find((found) => found !== undefined);
    const path = [...keys, key];
    if (within !== undefined) return unlisted(inner, within, path);
    return shapes.some(({ properties }) => properties !== undefined) && typeof key === "string" ? [path] : [];
  });
}
