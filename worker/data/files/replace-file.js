import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file and puts it in its place by a rename: nobody reads half of it.
 * @param {string} file
 * @param {(file: string) => Promise<unknown>} write writes what it is given
 */
export async function replaceFile(file, write) {
  const written = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await rm(written, { force: true });
    await write(written);
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true }).catch(() => {});
    throw error;
  }
}
