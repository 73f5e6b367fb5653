// The document that the service serves, for tests.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { withSchemas } from "../../worker/src/operations/contract.js";

/** The file: an order's fields and the error codes are not in it. */
export const readFile = () => JSON.parse(readFileSync(new URL("../../worker/openapi.json", import.meta.url), "utf8"));

/** A copy of the document, but for who makes the service. A test may change it. */
export const readDocument = () => structuredClone(withSchemas(readFile()));

/**
 * Checks values by the schemas of a document. A keyword that JSON Schema does not have is an error.
 * @param {object} document
 * @returns {(schema: string | object, value: unknown) => string} `schema` is the name of a component, or a schema. What
 *   is wrong with the value; "" if nothing is
 */
export function createChecker(document) {
  // strictNumbers would refuse what JSON.parse reads as Infinity: the service passes 1e999 through (D6).
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictNumbers: false, allErrors: true });
  addFormats(ajv);
  ajv.addKeyword("components"); // stands beside the schemas
  ajv.addSchema({ $id: "document", components: document.components });
  const compiled = new Map();
  const compile = (schema) => {
    if (typeof schema === "string") return ajv.getSchema(`document#/components/schemas/${schema}`);
    return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  };
  return (schema, value) => {
    const key = JSON.stringify(schema);
    if (!compiled.has(key)) compiled.set(key, compile(schema));
    const validate = compiled.get(key);
    return validate(value) ? "" : ajv.errorsText(validate.errors, { dataVar: "value" });
  };
}
