// Unpacks zstd with the reference decoder as WebAssembly, in every Node.js: node:zlib has one from 22.15 on.
import { ZSTDDecoder } from "zstddec/stream";

const IN_BYTES = 2 ** 16;
const OUT_BYTES = 2 ** 17;

/** `{ pointer, size, position }` of the input, and of the output. */
const BUFFERS_BYTES = 24;

/** A result above is an error: its number, below 0. */
const MOST_RESULT = 0xffffff80;
const ERRORS = { 16: "it needs more than 128 MiB of memory (zstd --long)", 32: "it needs a dictionary" };

/** @type {Promise<Record<string, any>> | undefined} */
let loading;

/** The functions of the module. The package's own loop takes no stream, and never ends at damaged bytes. */
async function load() {
  const decoder = new ZSTDDecoder();
  const begin = decoder._init;
  const loaded = new Promise((resolve) => {
    decoder._init = (result) => {
      begin(result);
      resolve(result.instance.exports);
    };
  });
  await decoder.init();
  return loaded;
}

/** @param {AsyncIterable<Buffer>} chunks */
export async function* unzstd(chunks) {
  const { memory, malloc, free, ...zstd } = await (loading ??= load());
  const room = malloc(BUFFERS_BYTES + IN_BYTES + OUT_BYTES);
  const [from, to] = [room + BUFFERS_BYTES, room + BUFFERS_BYTES + IN_BYTES];
  const context = zstd.ZSTD_createDCtx();
  let missing = 0;
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += IN_BYTES) {
        const part = chunk.subarray(start, start + IN_BYTES);
        new Uint8Array(memory.buffer).set(part, from);
        yield* decoded(part.length);
      }
    }
    if (missing > 0) throw new Error("unexpected end of file");
  } finally {
    zstd.ZSTD_freeDCtx(context);
    free(room);
  }

  function* decoded(size) {
    for (let [read, written] = [0, 0]; read < size || (written === OUT_BYTES && missing > 0); ) {
      const buffers = () => new Uint32Array(memory.buffer, room, BUFFERS_BYTES / 4); // the memory may have grown
      buffers().set([from, size, read, to, OUT_BYTES, 0]);
      missing = zstd.ZSTD_decompressStream(context, room + BUFFERS_BYTES / 2, room) >>> 0;
      if (missing > MOST_RESULT) throw new Error(ERRORS[-(missing | 0)] ?? "a frame is not as it was written");
      [, , read, , , written] = buffers();
      if (written > 0) yield Buffer.from(Buffer.from(memory.buffer, to, written));
    }
  }
}
