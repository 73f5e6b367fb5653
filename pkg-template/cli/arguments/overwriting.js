// Where a command writes must not be what it reads.
import { readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";

/**
 * The first input that an output is or lies in, by whatever path or link; undefined: none.
 * @param {string} output a file or a folder, which need not be there
 * @param {(string | undefined)[]} inputs files and folders
 * @returns {Promise<{ input: string, isInside: boolean } | undefined>}
 */
export async function overwritten(output, inputs) {
  const path = await realPath(output);
  const written = await identityOf(path);
  for (const input of inputs.filter((name) => name !== undefined)) {
    const read = await realPath(input);
    const isInside = path.startsWith(`${read}${sep}`);
    if (isInside || path === read || (written !== undefined && written === (await identityOf(read)))) return { input, isInside };
  }
  return undefined;
}

/** What a name leads to, also of what is not there yet. */
async function realPath(name) {
  const path = resolve(name);
  const real = await realpath(path).catch(({ code }) => (code === "ENOENT" ? undefined : path));
  if (real !== undefined || path === dirname(path)) return real ?? path;
  const link = await readlink(path).catch(() => undefined);
  if (link !== undefined) return realPath(resolve(dirname(path), link));
  return join(await realPath(dirname(path)), basename(path));
}

/** The same for all names of a file, also for hard links. */
async function identityOf(path) {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev} ${found.ino}`;
}
