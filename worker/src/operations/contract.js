// The document at /openapi.json: the file openapi.json, with what the package says of an order's fields and error codes, and
// of who makes the service.
import orderSchemas from "order-cost/internal/order-schemas.json" with { type: "json" };
import manifest from "order-cost/package.json" with { type: "json" };
import openapi from "../../openapi.json" with { type: "json" };

/** @typedef {{ description?: string, properties?: Record<string, object>, [keyword: string]: unknown }} Schema */

/**
 * @template {{ components: { schemas: Record<string, Schema> } }} Document
 * @param {Document} document of OpenAPI, whose schemas of an order, its answer and its errors have neither fields nor words
 */
export function withSchemas({ components, ...document }) {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, withFields(schema, orderSchemas[name])]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

/**
 * @param {Schema} schema as the file has it; it may say more of a field
 * @param {Schema | undefined} made
 */
function withFields(schema, made) {
  if (made === undefined) return schema;
  const description = [schema.description, made.description].filter(Boolean).join("\n\n");
  const fields = Object.entries(made.properties ?? {}).map(([key, field]) => [key, { ...field, ...schema.properties?.[key] }]);
  return { ...schema, ...made, description, ...(made.properties && { properties: Object.fromEntries(fields) }) };
}

/**
 * @template {{ info: object }} Document
 * @param {Document} document of OpenAPI
 * @param {{ author?: string, bugs?: string, homepage?: string, [other: string]: unknown }} manifest what it lacks, the document lacks
 */
export function withProject(document, { author = "", bugs, homepage }) {
  const [, name, email] = /^([^<]*[^<\s])?\s*(?:<(.+)>)?$/.exec(author) ?? [];
  const contact = Object.entries({ name, url: bugs, email }).filter(([, value]) => value);
  return {
    ...document,
    info: { ...document.info, ...(contact.length > 0 && { contact: Object.fromEntries(contact) }) },
    ...(homepage && { externalDocs: { description: "The package and its documentation.", url: homepage } }),
  };
}

export const contract = withProject(withSchemas(openapi), manifest);
