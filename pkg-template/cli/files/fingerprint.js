// What captures are, whatever their file is called and wherever in it they stand.
import { createHash } from "node:crypto";

const HEX_DIGITS = 32; // as zones are named
const SPACES = new Set(Buffer.from(" \t\r\n"));

/** @param {Uint8Array} bytes a capture */
export const captureHash = (bytes) => digestOf(createHash("sha256").update(trimmed(bytes)));

/** Of the captures of a part: the hash of a file that has each on a line. */
export class Fingerprint {
  #hash = createHash("sha256");
  isEmpty = true;

  /** @param {Uint8Array} bytes a capture */
  add(bytes) {
    this.#hash.update(trimmed(bytes)).update("\n");
    this.isEmpty = false;
  }

  text() {
    return digestOf(this.#hash);
  }
}

const digestOf = (hash) => hash.digest("hex").slice(0, HEX_DIGITS);

/** A record that is a whole file has its last line break. */
function trimmed(bytes) {
  let [start, end] = [0, bytes.length];
  while (start < end && SPACES.has(bytes[start])) start += 1;
  while (start < end && SPACES.has(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}
