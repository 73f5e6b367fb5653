// The loop of the commands that read captures.
import { capturesOf, Failure, sentence, sourceOf } from "../files/index.js";
import { progress } from "../screen/index.js";

/**
 * Calls `work` for each capture, one after the other, and shows the progress. Refuses files without captures; `names` are what
 * the caller was given.
 * @param {{ names: string[], files: string[], against: string, terminal: import("../screen/terminal.js").Terminal, isQuiet?: boolean }} given
 * @param {(file: string, capture: import("../files/capture-files.js").Capture) => unknown} work
 */
export async function eachCapture({ names, files, against, terminal, isQuiet }, work) {
  const source = await sourceOf(files);
  const bar = progress(source, terminal, { isQuiet });
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
