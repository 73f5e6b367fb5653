// `--ids`: the keys of the orders that differ, a line each.
import { withOutput } from "./output.js";
import { isPrintable, printable } from "./printable.js";

/** Runs `work` with a function that writes a key to the file; without a name nothing is written. */
export function withIds(name, work) {
  if (name === undefined) return work(() => {});
  return withOutput(name, ({ write }) => work((id) => write(`${isPrintable(id) ? id : printable(JSON.stringify(id))}\n`)));
}
