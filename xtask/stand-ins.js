// For where a global is missing, as TextEncoder is on the page that Jest simulates: of Buffer, which is there.
// Not by its name alone: some bundlers would put a Buffer of their own beside each use of that.
const { Buffer } = globalThis;

class BufferEncoder {
  encode(text = "") {
    return Buffer.from(text);
  }

  encodeInto(text, { buffer, byteOffset, byteLength }) {
    return { written: Buffer.from(buffer, byteOffset, byteLength).write(text) };
  }
}

class BufferDecoder {
  decode(bytes) {
    return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : "";
  }
}

export const TextEncoder = globalThis.TextEncoder ?? BufferEncoder;
export const TextDecoder = globalThis.TextDecoder ?? BufferDecoder;
