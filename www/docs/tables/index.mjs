// The tables of the site that are made of code. A page has a line `<!-- made: NAME -->` where one stands.
import { whereItWorks } from "../../../tests/matrix/table.js";
import { bindings } from "./bindings.mjs";
import { commandLine } from "./command-line.mjs";
import { errors } from "./errors.mjs";
import { FIELD_TABLES } from "./fields.mjs";
import { logFields } from "./log-fields.mjs";
import { messages } from "./messages.mjs";
import { limits, options, policies } from "./options.mjs";
import { sizes } from "./sizes.mjs";
import { variables } from "./variables.mjs";

/** @type {Record<string, (folders: { root: string, pkg: string }) => Promise<string>>} each table's Markdown */
export const TABLES = {
  errors,
  options,
  policies,
  limits,
  variables,
  bindings,
  "log-fields": logFields,
  "command-line": commandLine,
  sizes,
  messages,
  ...FIELD_TABLES,
  "where-it-works": async () => whereItWorks(),
};

/**
 * The Markdown of a table.
 * @param {string} name
 * @param {{ root: string, pkg: string }} folders the repository's, and that of the built package
 */
export async function make(name, folders) {
  const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
  if (!table) throw new Error(`No table is called ${name}: expected one of ${Object.keys(TABLES).join(", ")}`);
  return table(folders);
}

export { table, withDecisions } from "./markdown.mjs";
