// A thread of `order-cost impact`: prices the captures of its batches and counts what moves.
import { parentPort, workerData } from "node:worker_threads";
import { Broken, CapturedZones, captureHash, Failure, sentence, TOO_MUCH } from "../files/index.js";
import { Pricers } from "../repricing/index.js";
import { readCapture } from "./capture-scan.js";
import { versionAt } from "./new-catalogue.js";
import { Stages } from "./stages.js";
import { Tally } from "./tally.js";

/**
 * @typedef {object} Work
 * @property {import("./change.js").Change} change
 * @property {string} [zonesDir]
 * @property {boolean} [skipBroken]
 */

/** Answers each batch with `{ orders, bytes }`, the end with `{ tally }`; the first failure with `{ sentences }`. */
export async function work() {
  const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
  const { change: all, zonesDir, skipBroken } = /** @type {Work} */ (workerData);
  const { catalogue, ...change } = all;
  const starting = (async () => {
    const version = catalogue && (await versionAt(catalogue.place, catalogue.current));
    return new Stages(new Pricers(await import("order-cost")), change, new CapturedZones(zonesDir), version);
  })();
  const tally = new Tally(skipBroken);
  let turn = starting;
  port.on("message", (batch) => {
    turn = turn.then(async (stages) => {
      if (batch === null) port.postMessage({ tally });
      else await countAll(stages, batch);
      return stages;
    });
    turn.catch((error) => port.postMessage({ sentences: error instanceof Failure ? error.sentences : [sentence(error)] }));
  });

  /**
   * @param {Stages} stages
   * @param {import("./batches.js").Batch} batch
   */
  async function countAll(stages, batch) {
    for (const record of batch.records) {
      try {
        await count(stages, tally, recordOf(batch, record), skipBroken);
      } catch (error) {
        if (!(tally.broken && error instanceof Broken)) throw error;
        tally.broken.add(error.message);
      }
    }
    port.postMessage({ orders: batch.records.length, bytes: batch.bytes }, [batch.bytes.buffer]);
  }
}

const recordOf = ({ bytes }, { start, end, place, file }) => ({
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start),
  place,
  file,
});

/** Whatever goes wrong with a capture, the error says which one it is. */
async function count(stages, tally, { bytes, place, file }, isStrict) {
  try {
    const capture = { ...readCapture(bytes, place, isStrict), place };
    tally.add(orderOf(capture, bytes), await stages.run(file, capture));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${place}: ${error instanceof RangeError ? TOO_MUCH : sentence(error)}`);
  }
}

const orderOf = ({ requestId }, bytes) => ({
  requestId,
  get hash() {
    return captureHash(bytes);
  },
});
