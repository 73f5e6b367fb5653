// `--ids`: the keys of the orders that differ, a line each.
import { openOutput } from "./output.js";

/** Opens the file; without a name nothing is written. */
export async function openIds(name) {
  if (name === undefined) return { write: () => {}, end: () => {} };
  const output = await openOutput(name);
  return { write: (id) => output.write(`${isOneLine(id) ? id : JSON.stringify(id)}\n`), end: output.end };
}

const isOneLine = (id) => !/\p{Cc}/u.test(id);
