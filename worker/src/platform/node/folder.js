import { access, readFile } from "node:fs/promises";
import { join } from "node:path";

/** No other name is a file's, so none leads out of the folder. */
const NAME = /^(?:current|[a-z]+:[0-9a-f]+)$/;

/** On a disk that hangs, a read holds its thread for good. Node's pool has four, and other work needs one. */
const MOST_AT_ONCE = 3;

/**
 * Reads a catalogue from a folder, as `npm run data` writes it with `--dir`: `shard:<hash>` is the file shard/<hash>.
 * @param {string} folder
 * @returns {import("order-cost/catalogue").CatalogueOptions["read"]}
 */
export function fromFolder(folder) {
  const inTurn = createTurns(MOST_AT_ONCE);
  /** By name: a file that hangs holds one thread, however often it is looked at. */
  const underWay = new Map();

  async function read(name) {
    try {
      return await readFile(join(folder, name.replace(":", "/")), "utf8");
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      await access(folder); // a disk that is not mounted is no empty catalogue: this throws
      return null;
    }
  }

  async function textOf(name, signal) {
    if (!NAME.test(name)) return null;
    if (!underWay.has(name)) underWay.set(name, inTurn(signal, () => read(name)).finally(() => underWay.delete(name)));
    return underWay.get(name);
  }

  return async (names, { signal }) => new Map(await Promise.all(names.map(async (name) => [name, await textOf(name, signal)])));
}

/**
 * Runs only some at a time. One that is aborted before its turn never runs: behind a disk that hangs they would pile up.
 * @param {number} most
 */
function createTurns(most) {
  const waiting = new Set();
  let free = most;

  function turn(signal) {
    return new Promise((resolve, reject) => {
      const giveUp = () => waiting.delete(begin) && reject(signal.reason);
      const begin = () => resolve(signal.removeEventListener("abort", giveUp));
      waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  function next() {
    const [begin] = waiting;
    if (!begin) return (free += 1);
    waiting.delete(begin);
    return begin();
  }

  return async function inTurn(signal, run) {
    signal.throwIfAborted();
    if (free === 0) await turn(signal);
    else free -= 1;
    try {
      return await run();
    } finally {
      next();
    }
  };
}
