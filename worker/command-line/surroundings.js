import picocolors from "picocolors";

/**
 * What a command has from the process that runs it. A test gives it its own, and runs many in one process.
 * @typedef {object} Surroundings
 * @property {Record<string, string | undefined>} env
 * @property {Output} stdout
 * @property {Output} stderr
 * @property {boolean} [hasColours]
 * @property {() => Date} [now]
 *
 * @typedef {import("node:stream").Writable & { isTTY?: boolean, fd?: number }} Output a stream of the process has an `fd`
 */

/**
 * Ids are copied and piped: no colour codes but on a terminal, whatever CI says. picocolors reads NO_COLOR and --no-color;
 * npm keeps a --no-color before `--` for itself.
 * @returns {Surroundings}
 */
export function processSurroundings() {
  const { env, stdout, stderr } = process;
  return { env, stdout, stderr, hasColours: stdout.isTTY === true && picocolors.isColorSupported && env.npm_config_color !== "" };
}
