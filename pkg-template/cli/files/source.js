import { stat } from "node:fs/promises";
import { STDIN } from "./input.js";

/** The bytes of all inputs, for the progress bar; nobody knows the size of standard input. `onRead` is told those read of the file at hand, `next` its end. */
export async function sourceOf(files) {
  const isKnown = !files.includes(STDIN);
  const sizes = [];
  for (const file of files) if (isKnown) sizes.push((await stat(file)).size);
  let [done, inFile] = [0, 0];
  return {
    size: isKnown ? sizes.reduce((a, b) => a + b, 0) : undefined,
    get bytesRead() {
      return done + inFile;
    },
    onRead: (bytes) => (inFile = bytes),
    next: () => ([done, inFile] = [done + inFile, 0]),
  };
}
