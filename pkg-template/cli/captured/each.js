// The loop of the commands that read captures.
import { stat } from "node:fs/promises";
import { capturesOf } from "../captures.js";
import { Failure, sentence } from "../failure.js";
import { progress } from "../progress.js";

/**
 * Calls `work(file, capture)` for each capture, one after the other, and shows the progress. Refuses files without captures;
 * `names` are what the caller was given.
 */
export async function eachCapture({ names, files, against, isQuiet }, work) {
  const source = await sourceOf(files);
  const bar = progress(source, { isQuiet });
  let captures = 0;
  try {
    for (const file of files) {
      for await (const capture of capturesOf(file, against, source.onRead)) {
        await naming(capture, () => work(file, capture));
        bar.update((captures += 1));
      }
      source.next();
    }
  } finally {
    bar.stop();
  }
  if (captures === 0) throw new Failure(`${names.join(", ")}: no captures in it`);
}

/** Whatever goes wrong with a capture, the error says which one it is. */
async function naming({ place }, work) {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${place}: ${sentence(error)}`);
  }
}

/** The bytes of all files, for the progress bar. */
async function sourceOf(files) {
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
