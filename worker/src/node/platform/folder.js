import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { mostBytesOf, whenAborted } from "order-cost/internal";

/** No other name is a file's, so none leads out of the folder. */
const NAME = /^(?:current|[a-z]+:[0-9a-f]+)$/;

/** On a disk that hangs, a read holds its thread for good. Captures may hold two more, and other work needs one (processes.js). */
const MOST_AT_ONCE = 3;

/**
 * Reads a catalogue from a folder, as `npm run data` writes it with `--dir`: `shard:<hash>` is the file shard/<hash>.
 * @param {string} folder
 * @returns {import("order-cost/catalogue").CatalogueOptions["read"]}
 */
export function fromFolder(folder) {
  const inTurn = atMost(MOST_AT_ONCE);
  /** By name: a file that hangs holds one thread, however often it is looked at. */
  const underWay = new Map();

  async function read(name) {
    const file = join(folder, name.replace(":", "/"));
    try {
      const { size } = await stat(file);
      if (size > mostBytesOf(name)) throw new Error(`${name} has more than ${mostBytesOf(name)} bytes`); // as by a URL
      return await readFile(file, "utf8");
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
      await access(folder); // a disk that is not mounted is no empty catalogue: this throws
      return null;
    }
  }

  async function textOf(name, signal) {
    if (!NAME.test(name)) return null;
    for (;;) {
      if (!underWay.has(name))
        underWay.set(
          name,
          inTurn(signal, () => read(name)).finally(() => underWay.delete(name)),
        );
      const text = await underWay.get(name);
      if (text !== GIVEN_UP) return text;
      signal.throwIfAborted(); // whoever began the read gave it up before its turn; this order has not
    }
  }

  return async (names, { signal }) =>
    new Map(await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await textOf(name, signal)]))));
}

const GIVEN_UP = Symbol("given up");

/**
 * Runs only some at a time. One that is aborted before its turn never runs and gives GIVEN_UP: behind a disk that hangs they
 * would pile up.
 * @param {number} most
 */
function atMost(most) {
  const waiting = new Set();
  let free = most;

  function turn(signal) {
    return new Promise((resolve) => {
      const endListening = whenAborted(signal, () => waiting.delete(begin) && resolve(false));
      const begin = () => {
        endListening();
        resolve(true);
      };
      waiting.add(begin);
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
    if (free > 0) free -= 1;
    else if (!(await turn(signal))) return GIVEN_UP;
    try {
      return await run();
    } finally {
      next();
    }
  };
}
