import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inPool } from "../../../../pkg/groups.js";

/** No other name is a file's, so none leads out of the folder. */
const NAME = /^(?:current|[a-z]+:[0-9a-f]+)$/;

/** A large order reads hundreds of texts: each would be an open file. */
const MOST_AT_ONCE = 16;

/**
 * Reads a catalogue from a folder, as `npm run data` writes it with `--dir`: `shard:<hash>` is the file shard/<hash>.
 * @param {string} folder
 * @returns {import("order-cost/catalogue").CatalogueOptions["read"]}
 */
export function fromFolder(folder) {
  async function textOf(name, signal) {
    if (!NAME.test(name)) return null;
    try {
      return await readFile(join(folder, name.replace(":", "/")), { encoding: "utf8", signal });
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      await access(folder); // a disk that is not mounted is no empty catalogue: this throws
      return null;
    }
  }

  return async (names, { signal }) => {
    const texts = new Map();
    await inPool(names, MOST_AT_ONCE, async (name) => texts.set(name, await textOf(name, signal)));
    return texts;
  };
}
