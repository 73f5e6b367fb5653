import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** No other name is a file's, so none leads out of the folder. */
const NAME = /^(?:current|[a-z]+:[0-9a-f]+)$/;

/**
 * Reads a catalogue from a folder, as `npm run data` writes it with `--dir`: `shard:<hash>` is the file shard/<hash>.
 * @param {string} folder
 * @returns {import("order-cost/catalogue").CatalogueOptions["read"]}
 */
export function fromFolder(folder) {
  return async (names, { signal }) => {
    const entries = names.map(async (name) => [name, NAME.test(name) ? await textAt(join(folder, name.replace(":", "/")), signal) : null]);
    return new Map(await Promise.all(entries));
  };
}

async function textAt(file, signal) {
  try {
    return await readFile(file, { encoding: "utf8", signal });
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
