// Captures in batches, for threads: the bytes of many in one buffer, which is handed over without a copy.
import { openInput } from "../input.js";
import { recordBlocks } from "../records.js";

const BATCH_BYTES = 2 ** 19;
const BATCH_RECORDS = 256;

/**
 * @typedef {object} Batch
 * @property {Uint8Array} bytes
 * @property {{ start: number, end: number, place: string, file: string }[]} records
 * @property {number} first the number of its first record among all
 */

/**
 * Yields the captures of files. `onRead` is told the bytes read of a file so far, `onFile` the end of each.
 * @param {string[]} files
 * @returns {AsyncGenerator<Batch>}
 */
export async function* batchesOf(files, { onRead, onFile }) {
  let waiting = [];
  let bytes = 0;
  let first = 0;
  const flush = () => {
    const batch = packed(waiting, bytes, first);
    first += waiting.length;
    waiting = [];
    bytes = 0;
    return batch;
  };
  for (const file of files) {
    const input = await openInput(file);
    for await (const block of recordBlocks(input)) {
      for (const record of block) {
        waiting.push(record);
        bytes += record.bytes.length;
        if (bytes >= BATCH_BYTES || waiting.length === BATCH_RECORDS) yield flush();
      }
      onRead(input.bytesRead);
    }
    onFile();
  }
  if (waiting.length > 0) yield flush();
}

function packed(waiting, size, first) {
  const bytes = new Uint8Array(size);
  let start = 0;
  const records = waiting.map(({ bytes: one, place, name: file }) => {
    bytes.set(one, start);
    const end = start + one.length;
    const record = { start, end, place, file };
    start = end;
    return record;
  });
  return { bytes, records, first };
}
