import { access, constants, readFile, stat } from "node:fs/promises";
import { parseEnv } from "node:util";
import { readOptions, readVariables } from "../options/index.js";
import { VARIABLES } from "./platform/index.js";

/** The variable of a process that is started to replace another one. */
export const REPLACING = "ORDER_COST_REPLACING";

/** An order without a deadline gets so long when the service ends. */
const LONGEST_MS = 60_000;

/**
 * The variables of a file that the environment does not have: that one counts.
 * @param {string | undefined} file lines of NAME=value
 * @param {Record<string, string | undefined>} env
 */
export async function variablesIn(file, env) {
  const inFile = file === undefined ? {} : parseEnv(await readFile(file, "utf8"));
  return Object.fromEntries(Object.entries(inFile).filter(([name]) => env[name] === undefined));
}

/**
 * What the program itself needs of the variables. Throws if one is wrong, also one that only the service uses.
 * @param {Record<string, string | undefined>} env
 */
export function settingsOf(env) {
  const { routes } = readOptions(env, VARIABLES);
  const { HOST, PORT, METRICS_PORT, WORKERS, CATALOGUE_DIR, CATALOGUE_URL } = readVariables(env, VARIABLES);
  if (CATALOGUE_DIR !== undefined && CATALOGUE_URL !== undefined) {
    throw new Error("Variables CATALOGUE_DIR and CATALOGUE_URL: expected one of them");
  }
  if (env.API_KEYS?.trim() === "")
    throw new Error("Variable API_KEYS: expected keys, or no such variable if anybody may order, got a blank value");
  const { deadlineMs } = routes;
  return { host: HOST, port: PORT, metricsPort: METRICS_PORT, processes: WORKERS, deadlineMs, patienceMs: deadlineMs || LONGEST_MS };
}

/**
 * Throws if the folder of captures is not there, or not to be written into. Not for each process: one that takes the place of
 * another answers orders without it, too.
 * @param {Record<string, string | undefined>} env
 */
export async function refuseMissingFolder(env) {
  const { DECISIONS_DIR } = readVariables(env, VARIABLES);
  if (DECISIONS_DIR === undefined) return;
  const cause = await faultOf(DECISIONS_DIR);
  if (cause) throw new Error(`Variable DECISIONS_DIR: expected a folder that the service can write into, got "${DECISIONS_DIR}": ${cause}`);
}

async function faultOf(folder) {
  try {
    if (!(await stat(folder)).isDirectory()) return "it is no folder";
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return code === "ENOENT" ? "it is not there" : code;
  }
}
