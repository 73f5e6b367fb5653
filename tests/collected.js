import { Writable } from "node:stream";

/** A stream that keeps what a command writes. */
export class Collected extends Writable {
  #chunks = [];

  _write(chunk, _encoding, done) {
    this.#chunks.push(chunk);
    done();
  }

  text() {
    return Buffer.concat(this.#chunks).toString();
  }
}
