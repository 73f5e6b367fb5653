// Replacements for missing globals, made from Buffer: Jest's jsdom environment has no TextEncoder. Buffer is read from
// globalThis, because some bundlers add a Buffer of their own wherever they see the bare name.
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
