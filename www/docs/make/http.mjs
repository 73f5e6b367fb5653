// The reference of the service's routes, made from its contract.
import { contract } from "../../../worker/src/operations/index.js";
import { table } from "../tables/index.mjs";

const FRONT =
  "---\ntitle: HTTP\ndescription: The routes of the service, their requests, answers and headers.\noutline: [2, 3]\n---\n\n# HTTP\n";
const INTRODUCTION = "The service answers with this contract itself, at `/openapi.json`.";

/** @returns {import("./pages.mjs").Page[]} */
export function httpPages() {
  const { info, paths, components } = contract;
  const text = [
    FRONT,
    INTRODUCTION,
    info.description,
    "## Routes",
    ...Object.entries(paths).flatMap(([route, methods]) => operations(route, methods, components)),
    "## Schemas",
    ...Object.entries(components.schemas).flatMap(([name, schema]) => described(name, schema)),
  ];
  return [{ source: "worker/openapi.json", place: "reference/http.md", text: `${text.filter(Boolean).join("\n\n")}\n` }];
}

function operations(route, methods, components) {
  const found = (entry) => (entry.$ref ? at(components, entry.$ref) : entry);
  return Object.entries(methods)
    .filter(([, { responses }]) => responses)
    .flatMap(([method, operation]) => [
      `### ${method.toUpperCase()} ${route}`,
      sentence(operation.summary),
      operation.description,
      tableOf(
        ["parameter", "in", "meaning"],
        (operation.parameters ?? []).map(found).map(({ name, in: place, description }) => [`\`${name}\``, place, description]),
      ),
      operation.requestBody && `Body: ${contents(found(operation.requestBody))}.`,
      tableOf(
        ["status", "answer", "body"],
        Object.entries(operation.responses).map(([status, response]) => [status, found(response).description, contents(found(response))]),
      ),
    ]);
}

/** The media types of a body, each with its schema. */
function contents({ content = {} }) {
  return Object.entries(content)
    .map(([type, { schema }]) => `\`${type}\`${schema ? `, ${shape(schema)}` : ""}`)
    .join("; ");
}

function described(name, schema) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => [
    `\`${field}\`${required.has(field) ? "" : " (optional)"}`,
    shape(of),
    of.description ?? "",
  ]);
  return [
    `### ${name}`,
    fields.length || schema.enum ? schema.description : [schema.description, shape(schema)].filter(Boolean).join(" "),
    tableOf(["field", "type", "meaning"], fields),
  ];
}

function shape(schema) {
  if (schema === true) return "any JSON";
  if (schema.$ref) return link(schema.$ref.split("/").at(-1));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return choices.map(shape).join(schema.allOf ? " and " : " or ");
  const types = [schema.type ?? "any JSON"].flat();
  const text = types.map((type) => (type === "array" ? `array of ${shape(schema.items ?? true)}` : type)).join(" or ");
  return text + bounds(schema);
}

const BOUNDS = { minimum: "from", maximum: "to", minLength: "at least", maxLength: "at most", minItems: "at least", maxItems: "at most" };

function bounds(schema) {
  const said = Object.entries(BOUNDS)
    .filter(([key]) => key in schema)
    .map(([key, word]) => `${word} ${schema[key]}`);
  return said.length ? ` (${said.join(" ")})` : "";
}

const link = (name) => `[${name}](#${name.toLowerCase()})`;
const sentence = (text) => text && `${text.replace(/\.$/, "")}.`;

function at(components, reference) {
  const [kind, name] = reference.split("/").slice(-2);
  return components[kind][name];
}

/** No table of nothing. */
const tableOf = (columns, rows) => (rows.length === 0 ? "" : table(columns, rows));
