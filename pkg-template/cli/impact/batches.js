// Captures in batches, for threads: the bytes of many in one buffer, which is handed over without a copy.
import { captureRecords } from "../files/index.js";

const BATCH_BYTES = 2 ** 19;
const BATCH_RECORDS = 256;

/** A batch is full with the capture that reaches BATCH_BYTES. */
const ROOM_BYTES = 1.5 * BATCH_BYTES;

/**
 * @typedef {object} Batch
 * @property {Uint8Array<ArrayBuffer>} bytes
 * @property {{ start: number, end: number, place: string, file: string }[]} records
 */

/**
 * Yields the captures of files. `onFile` is told the end of each.
 * @param {string[]} files
 * @param {Rooms} rooms
 * @param {Parameters<typeof captureRecords>[1] & { onFile: () => void }} reading
 * @returns {AsyncGenerator<Batch>}
 */
export async function* batchesOf(files, rooms, { onFile, ...reading }) {
  let waiting = [];
  let bytes = 0;
  const flush = () => {
    const batch = packed(waiting, rooms.pop(bytes));
    waiting = [];
    bytes = 0;
    return batch;
  };
  for (const file of files) {
    for await (const record of captureRecords(file, reading)) {
      waiting.push({ bytes: record.bytes, place: record.place, file });
      bytes += record.bytes.length;
      if (bytes >= BATCH_BYTES || waiting.length === BATCH_RECORDS) yield flush();
    }
    onFile();
  }
  if (waiting.length > 0) yield flush();
}

function packed(waiting, bytes) {
  let start = 0;
  const records = waiting.map(({ bytes: one, place, file }) => {
    bytes.set(one, start);
    const end = start + one.length;
    const record = { start, end, place, file };
    start = end;
    return record;
  });
  return { bytes, records };
}

/** Buffers that go to threads and come back: new ones would be garbage that nobody collects in time. */
export class Rooms {
  #free = [];

  pop(size) {
    const room = size <= ROOM_BYTES ? this.#free.pop() : undefined;
    return room ?? new Uint8Array(Math.max(size, ROOM_BYTES));
  }

  push(room) {
    if (room.length === ROOM_BYTES) this.#free.push(room);
  }
}
