// Where a command writes must not be what it reads.
import { readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { CURRENT_KEY } from "../../pkg/catalogue/keys.js";
import { Fault } from "./fault.js";
import { MANIFEST_FILE } from "./version.js";

/**
 * Refuses an output that is an input or lies in one, by whatever path or link.
 * @param {string} option such as --html
 * @param {string | undefined} output a file or a folder, which need not be there
 * @param {(string | undefined)[]} inputs files and folders
 */
export async function refuseOverwriting(option, output, inputs) {
  if (output === undefined) return;
  const path = await realPath(output);
  for (const input of inputs.filter((name) => name !== undefined)) {
    const read = await realPath(input);
    if (path === read || path.startsWith(`${read}${sep}`)) throw new Fault(`${option} ${output}: expected a place outside ${input}, which the command reads`);
  }
}

/** Refuses a folder that holds a version or a store: what a cache no longer needs, it deletes. */
export async function refuseVersion(option, folder) {
  if (folder === undefined) return;
  const names = await readdir(folder).catch(() => []);
  const found = [CURRENT_KEY, MANIFEST_FILE].find((name) => names.includes(name));
  if (found !== undefined) throw new Fault(`${option} ${folder}: expected a folder of its own, got one with ${found}`);
}

/** Also of what is not there yet. */
async function realPath(name) {
  const path = resolve(name);
  const real = await realpath(path).catch(({ code }) => (code === "ENOENT" ? undefined : path));
  if (real !== undefined || path === dirname(path)) return real ?? path;
  const link = await readlink(path).catch(() => undefined);
  if (link !== undefined) return realPath(resolve(dirname(path), link));
  return join(await realPath(dirname(path)), basename(path));
}
