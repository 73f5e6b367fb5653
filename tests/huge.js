// Texts that are larger than any of a catalogue may be. Gzip makes 64 kB of one.
import { gzipSync } from "node:zlib";

const TEXT = Buffer.alloc(64 * 2 ** 20, " ");
let gzipped;

/** Sends one as it is. */
export const sendHuge = (response) => response.writeHead(200, { "content-type": "text/plain" }).end(TEXT);

/** Sends one as gzip. */
export function sendBomb(response) {
  gzipped ??= gzipSync(TEXT);
  response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipped);
}
