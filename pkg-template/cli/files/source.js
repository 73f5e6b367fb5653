import { stat } from "node:fs/promises";

/** The bytes of all files, for the progress bar. `onRead` is told those read of the file at hand, `next` its end. */
export async function sourceOf(files) {
  const sizes = [];
  for (const file of files) sizes.push((await stat(file)).size);
  let [done, inFile] = [0, 0];
  return {
    size: sizes.reduce((a, b) => a + b, 0),
    get bytesRead() {
      return done + inFile;
    },
    onRead: (bytes) => (inFile = bytes),
    next: () => ([done, inFile] = [done + inFile, 0]),
  };
}
