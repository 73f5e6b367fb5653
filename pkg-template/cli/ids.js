// `--ids`: the keys of the orders that differ, a line each.
import { withOutput } from "./output.js";

/** Runs `work` with a function that writes a key to the file; without a name nothing is written. */
export function withIds(name, work) {
  if (name === undefined) return work(() => {});
  return withOutput(name, ({ write }) => work((id) => write(`${isOneLine(id) ? id : JSON.stringify(id)}\n`)));
}

const isOneLine = (id) => !/\p{Cc}/u.test(id);
