// Unpacks gzip and zstd, which the first bytes tell.
import { createGunzip } from "node:zlib";
import { Failure } from "./failure.js";
import { unzstd } from "./zstd.js";

/** An ending promises a format: an upload that failed leaves a file of 0 bytes, which is none. */
const FORMATS = [
  { name: "gzip", ending: ".gz", begins: (bytes) => bytes.subarray(0, 2).equals(GZIP), unpack: gunzip },
  { name: "zstd", ending: ".zst", begins: (bytes) => isFrame(bytes.subarray(0, 4)), unpack: unzstd },
];
const GZIP = Buffer.from([0x1f, 0x8b]);
const FRAME = 0xfd2fb528;
/** A frame without content, with which pzstd begins; the last four bits are free. */
const SKIPPABLE = 0x184d2a50;

const HEAD_BYTES = 4;

/** Little makes much: 16 kB of zeros unpack to 16 MB. */
const PART_BYTES = 2 ** 14;

function isFrame(head) {
  if (head.length < HEAD_BYTES) return false;
  const magic = head.readUInt32LE();
  return magic === FRAME || (magic & ~0xf) === SKIPPABLE;
}

/**
 * The same input, unpacked. `bytesRead` stays that of what is packed.
 * @param {import("./input.js").Input} input
 * @returns {import("./input.js").Input}
 */
export function unpacked(input) {
  const self = {
    name: input.name,
    size: input.size,
    get bytesRead() {
      return input.bytesRead;
    },
    chunks: chunks(),
  };
  return self;

  async function* chunks() {
    const head = await headOf(input.chunks);
    const format = formatOf(input.name, head);
    const packed = resumed(head, input.chunks);
    if (format === undefined) return yield* packed;
    self.size = undefined;
    try {
      yield* format.unpack(packed);
    } catch (error) {
      if (error instanceof Failure) throw error;
      const { message } = /** @type {Error} */ (error); // zlib has other numbers of errors than the system
      throw new Failure(`${input.name}: damaged or cut off ${format.name}: ${message}`);
    }
  }
}

async function headOf(chunks) {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

function formatOf(name, head) {
  const promised = FORMATS.find(({ ending }) => name.endsWith(ending));
  const found = FORMATS.find(({ begins }) => begins(head));
  if (promised && promised !== found) throw new Failure(`${name}: expected ${promised.name}, as its name says`);
  return found;
}

async function* resumed(head, chunks) {
  try {
    if (head.length > 0) yield head;
    yield* chunks;
  } finally {
    await chunks.return(); // also where nothing but the head was read
  }
}

/** Step by step: a pipeline would wait for the next chunk of a pipe before it ends. */
async function* gunzip(chunks) {
  const stream = createGunzip();
  const out = [];
  let fail = (_) => {};
  stream.on("data", (bytes) => out.push(bytes));
  stream.on("error", (error) => fail(error));
  const step = (begin) =>
    new Promise((resolve, reject) => {
      fail = reject;
      begin(resolve);
    });
  let given = 0;
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += PART_BYTES) {
        const part = chunk.subarray(start, start + PART_BYTES);
        const isOver = stream.bytesWritten < given;
        given += part.length;
        if (!isOver) await step((done) => stream.write(part, done));
        const rest = part.subarray(Math.max(0, part.length - (given - stream.bytesWritten)));
        if (rest.some((byte) => byte !== 0)) throw new Error("something follows its end"); // zeros fill up a block
        yield* out.splice(0);
      }
    }
    if (!stream.readableEnded) await step((done) => stream.once("end", done).end());
    yield* out;
  } finally {
    stream.destroy();
  }
}
