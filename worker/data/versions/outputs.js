// Where a command writes must not be what it reads.
import { readdir } from "node:fs/promises";
import { CURRENT_KEY, overwritten } from "order-cost/internal";
import { Fault } from "../../command-line/index.js";
import { MANIFEST_FILE } from "./version.js";

/**
 * Refuses an output that is an input or lies in one, by whatever path or link.
 * @param {string} option such as --html
 * @param {string | undefined} output a file or a folder, which need not be there
 * @param {(string | undefined)[]} inputs files and folders
 */
export async function refuseOverwriting(option, output, inputs) {
  if (output === undefined) return;
  const found = await overwritten(output, inputs);
  if (found) throw new Fault(`${option} ${output}: expected a place outside ${found.input}, which the command reads`);
}

/**
 * Refuses a folder that holds a version or a store: what a cache no longer needs, it deletes.
 * @param {string} option such as --cache-dir
 * @param {string | undefined} folder
 */
export async function refuseVersion(option, folder) {
  if (folder === undefined) return;
  /** @type {string[]} */
  const names = await readdir(folder).catch(() => []);
  const found = [CURRENT_KEY, MANIFEST_FILE].find((name) => names.includes(name));
  if (found !== undefined) throw new Fault(`${option} ${folder}: expected a folder of its own, got one with ${found}`);
}
