// The loop of the commands that read captures.
import { Broken, captureRecords, Failure, Fingerprint, noCaptures, readCapture, sentence, shownNames, sourceOf } from "../files/index.js";
import { progress } from "../screen/index.js";

/**
 * Calls `work` for each capture, one after the other, and shows the progress. Refuses files without captures.
 * @param {object} given
 * @param {string[]} given.names what the caller was given
 * @param {{ name?: string, files: string[] }[]} given.parts
 * @param {import("../tally/parts.js").Parts} [given.counted] is told the parts, which may then be without captures
 * @param {string} given.against
 * @param {import("../screen/terminal.js").Terminal} given.terminal
 * @param {boolean} [given.isQuiet]
 * @param {import("../files/broken-lines.js").BrokenLines} [given.broken] takes the lines to skip; without it the first one ends
 *   the command
 * @param {(file: string, capture: import("../files/capture-files.js").Capture) => unknown} work
 */
export async function eachCapture({ names, parts, counted, against, terminal, isQuiet, broken }, work) {
  const source = await sourceOf(parts.flatMap(({ files }) => files));
  const bar = progress(source, terminal, { isQuiet });
  let lines = 0;
  const one = (file, record) => {
    lines += 1;
    return naming(record, () => work(file, readCapture(record, against))).catch((error) => skip(error, broken));
  };
  try {
    for (const { name, files } of parts) {
      const fingerprint = new Fingerprint();
      for (const file of files) {
        for await (const record of captureRecords(file, { terminal, onRead: source.onRead, skipBroken: broken !== undefined })) {
          if (counted) fingerprint.add(record.bytes);
          await one(file, record);
          bar.update(lines);
        }
        source.next();
      }
      if (!fingerprint.isEmpty) counted?.add(fingerprint.text(), shownNames([name]));
    }
  } finally {
    bar.stop();
  }
  if (!counted && lines === (broken?.count ?? 0)) throw noCaptures(names, broken);
}

function skip(error, broken) {
  if (!(broken && error instanceof Broken)) throw error;
  broken.add(error.message);
}

/** Whatever goes wrong with a capture, the error says which one it is. */
async function naming({ place }, work) {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${place}: ${sentence(error)}`);
  }
}
