// Where a wrangler.jsonc says that the prices lie, or another store.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "jsonc-parser";
import { Fault } from "./fault.js";

export const BINDING = "CATALOGUE";

/**
 * The id of a namespace.
 * @param {string} config path of a wrangler.jsonc
 * @param {string} [env] the environment; otherwise the top level
 * @param {string} [name] of the binding
 */
export async function namespaceId(config, env, name = BINDING) {
  const file = basename(config);
  const text = await readFile(config, "utf8").catch((error) => {
    throw new Fault(`cannot read ${config}: ${error.message}`);
  });
  const settings = parse(text) ?? {};
  const scope = env === undefined ? settings : environment(settings, env, file);
  const where = env === undefined ? file : `${file}, env.${env}`;
  const { id } = scope.kv_namespaces?.find(({ binding }) => binding === name) ?? {};
  if (!id) throw new Fault(`${where} has no id for the binding ${name}: expected one in kv_namespaces`);
  if (/^<.*>$/.test(id)) {
    const command = `npx wrangler kv namespace create ${name}${env === undefined ? "" : ` --env ${env}`}`;
    throw new Fault(`${where}: ${name} still has the placeholder "${id}": expected the id that "${command}" gives`);
  }
  return id;
}

function environment(settings, env, file) {
  const known = Object.keys(settings.env ?? {});
  if (known.includes(env)) return settings.env[env];
  throw new Fault(`${file} has no environment "${env}": expected ${known.join(" or ") || "one under env"}`);
}
