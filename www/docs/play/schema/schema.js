// Looks into a JSON Schema along the keys of a document.
import { ORDER_SCHEMAS } from "virtual:order-schemas";

/**
 * @typedef {object} Schema what this page reads of a JSON Schema
 * @property {string | string[]} [type]
 * @property {string} [title]
 * @property {string} [description]
 * @property {unknown[]} [enum]
 * @property {unknown} [default]
 * @property {string[]} [required]
 * @property {Record<string, Schema>} [properties]
 * @property {Schema} [additionalProperties]
 * @property {Schema} [items]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 *
 * @typedef {(string | number)[]} Keys lead from a whole document to a place
 */

/** @type {Record<string, Schema>} */
const SCHEMAS = ORDER_SCHEMAS;

/** The schema of an order: the part of the service's openapi.json that an order needs. */
export const ORDER = SCHEMAS.Order;

/**
 * What a schema may stand for, without references and alternatives.
 * @param {Schema | undefined} schema
 * @returns {Schema[]}
 */
function shapesOf(schema) {
  if (schema === undefined) return [];
  const { $ref, anyOf, ...own } = schema;
  if ($ref !== undefined) return shapesOf(SCHEMAS[$ref.slice($ref.lastIndexOf("/") + 1)]).map((shape) => ({ ...shape, ...own }));
  if (anyOf !== undefined) return anyOf.flatMap(shapesOf).map((shape) => ({ ...shape, ...own }));
  return [schema];
}

/**
 * The shapes at a place.
 * @param {Schema} schema
 * @param {Readonly<Keys>} keys
 */
export function shapesAt(schema, keys) {
  let shapes = shapesOf(schema);
  for (const key of keys) shapes = shapes.flatMap((shape) => shapesOf(inside(shape, key)));
  return shapes;
}

/**
 * @param {Schema} shape
 * @param {string | number} key
 */
function inside({ properties = {}, additionalProperties, items }, key) {
  if (typeof key === "number") return items;
  return Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

/**
 * The types of a shape, as a list.
 * @param {Schema} shape
 */
export const typesOf = ({ type = [] }) => [type].flat();

/**
 * The keys that the schema does not list, where it lists any: the pricer drops them.
 * @param {unknown} value
 * @param {Schema} schema
 * @param {Keys} keys where the value stands
 * @returns {Keys[]} their paths
 */
export function unlisted(value, schema, keys = []) {
  if (typeof value !== "object" || value === null) return [];
  const shapes = shapesOf(schema);
  /** @type {[key: string | number, inner: unknown][]} */
  const entries = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
  return entries.flatMap(([key, inner]) => {
    const within = shapes.map((shape) => inside(shape, key)).find((found) => found !== undefined);
    const path = [...keys, key];
    if (within !== undefined) return unlisted(inner, within, path);
    return shapes.some(({ properties }) => properties !== undefined) && typeof key === "string" ? [path] : [];
  });
}
