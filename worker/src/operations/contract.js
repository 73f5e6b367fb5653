// The document at /openapi.json: the file openapi.json, with the error codes, and who makes the service, as the package says.
import { ERROR_CODES } from "order-cost/internal";
import manifest from "order-cost/package.json" with { type: "json" };
import openapi from "../../openapi.json" with { type: "json" };

/**
 * @template {{ components: { schemas: { ErrorCode: { description: string } } } }} Document
 * @param {Document} document of OpenAPI, whose schema of the error codes says neither which there are nor what they mean
 */
export function withCodes({ components, ...document }) {
  const { ErrorCode } = components.schemas;
  const description = [`${ErrorCode.description}\n`, ...ERROR_CODES.map(({ code, means }) => `- \`${code}\`: ${means}`)].join("\n");
  const schemas = { ...components.schemas, ErrorCode: { ...ErrorCode, description, enum: ERROR_CODES.map(({ code }) => code) } };
  return { ...document, components: { ...components, schemas } };
}

/**
 * @param {{ info: object }} document of OpenAPI
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

export const contract = withProject(withCodes(openapi), manifest);
