// Where a wrangler.jsonc says that the prices lie, or another store.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "jsonc-parser";
import { Fault } from "../../command-line/index.js";

export const BINDING = "CATALOGUE";

/**
 * The id of a namespace.
 * @param {string} config path of a wrangler.jsonc
 * @param {string} [env] the environment; otherwise the top level
 * @param {string} [name] of the binding
 */
export async function namespaceId(config, env, name = BINDING) {
  const { file, scope } = await readSettings(config, env);
  const where = env === undefined ? file : `${file}, env.${env}`;
  const { id } = scope.kv_namespaces?.find(({ binding }) => binding === name) ?? {};
  if (!id) throw new Fault(`${where} has no id for the binding ${name}: expected one in kv_namespaces`);
  if (isPlaceholder(id)) {
    throw new Fault(`${where}: ${name} still has the placeholder "${id}": expected the id that "${createCommand(name, env)}" gives`);
  }
  return id;
}

/**
 * Whether nobody has filled in a value yet.
 * @param {string} value
 */
export const isPlaceholder = (value) => /^\s*(<.*>\s*)?$/.test(value);

/**
 * @param {string} name of a binding
 * @param {string} [env]
 */
export const createCommand = (name, env) => `npx wrangler kv namespace create ${name}${env === undefined ? "" : ` --env ${env}`}`;

/**
 * What the commands read of a wrangler.jsonc, or of one of its environments.
 * @typedef {object} Settings
 * @property {string} [name]
 * @property {Record<string, unknown>} [vars]
 * @property {{ binding: string, id?: string }[]} [kv_namespaces]
 * @property {{ binding: string, service?: string }[]} [services]
 * @property {{ binding: string, bucket_name?: string }[]} [r2_buckets]
 * @property {{ name: string, namespace_id?: string }[]} [ratelimits]
 * @property {{ binding: string }} [version_metadata]
 * @property {(string | { pattern: string })[]} [routes]
 * @property {string | { pattern: string }} [route]
 * @property {boolean} [workers_dev]
 * @property {{ directory?: string }} [assets]
 * @property {Record<string, Settings>} [env]
 */

/**
 * What a wrangler.jsonc says.
 * @param {string} config its path
 * @param {string} [env] the environment
 * @returns {Promise<{ file: string, top: Settings, scope: Settings }>} `scope`: the environment's own settings, or `top`
 */
export async function readSettings(config, env) {
  const file = basename(config);
  const text = await readFile(config, "utf8").catch((error) => {
    throw new Fault(`cannot read ${config}: ${error.message}`);
  });
  /** @type {Settings} */
  const top = parse(text) ?? {};
  return { file, top, scope: env === undefined ? top : environment(top, env, file) };
}

/**
 * @param {Settings} top
 * @param {string} env
 * @param {string} file
 */
function environment({ env: environments = {} }, env, file) {
  const known = Object.keys(environments);
  if (known.includes(env)) return environments[env];
  throw new Fault(`${file} has no environment "${env}": expected ${known.join(" or ") || "one under env"}`);
}
