// A thread of `order-cost impact`: prices the captures of its batches and counts what moves.
import { parentPort, workerData } from "node:worker_threads";
import { Failure, TOO_MUCH, sentence } from "../failure.js";
import { readCapture } from "./capture.js";
import { versionAt } from "./catalogue.js";
import { Pricers } from "../captured/pricers.js";
import { Stages } from "./stages.js";
import { Tally } from "./tally.js";

/** Answers each batch with `{ orders, bytes }`, the end with `{ tally }`; the first failure with `{ sentences }`. */
export async function work() {
  const { catalogue, ...change } = workerData;
  const starting = (async () => {
    const version = catalogue && (await versionAt(catalogue.place, catalogue.current));
    return new Stages(new Pricers(await import("order-cost")), change, version);
  })();
  const tally = new Tally();
  let turn = starting;
  parentPort.on("message", (batch) => {
    turn = turn.then(async (stages) => {
      if (batch === null) return parentPort.postMessage({ tally });
      for (const [index, record] of batch.records.entries()) await count(stages, tally, recordOf(batch, record), batch.first + index);
      parentPort.postMessage({ orders: batch.records.length, bytes: batch.bytes }, [batch.bytes.buffer]);
      return stages;
    });
    turn.catch((error) => parentPort.postMessage({ sentences: error instanceof Failure ? error.sentences : [sentence(error)] }));
  });
}

const recordOf = ({ bytes }, { start, end, place, file }) => ({
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start),
  place,
  file,
});

/** Whatever goes wrong with a capture, the error says which one it is. */
async function count(stages, tally, { bytes, place, file }, index) {
  try {
    const capture = { ...readCapture(bytes, place), place };
    tally.add({ requestId: capture.requestId, index }, await stages.run(file, capture));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${place}: ${error instanceof RangeError ? TOO_MUCH : sentence(error)}`);
  }
}
