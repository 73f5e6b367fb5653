// The document at /openapi.json: the file openapi.json, with who makes the service, as the package's manifest says.
import manifest from "order-cost/package.json" with { type: "json" };
import openapi from "../openapi.json" with { type: "json" };

/**
 * @param {object} document of OpenAPI
 * @param {{ author?: string, bugs?: string, homepage?: string }} manifest what it lacks, the document lacks
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

export const contract = withProject(openapi, manifest);
