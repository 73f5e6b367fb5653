// Reads files and standard input.
import { constants, createReadStream } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { Failure, sentence } from "./failure.js";

/** The name of standard input. A file of that name is `./-`. */
export const STDIN = "-";

/**
 * @typedef {object} Input
 * @property {string} name for messages
 * @property {number} [size] in bytes, if it is known
 * @property {number} bytesRead so far
 * @property {AsyncGenerator<Buffer, void, void>} chunks
 */

/**
 * Opens a file, or the terminal's standard input if the name is `-`. The file is opened with the first chunk: one that is not
 * read to its end, or not at all, stays open nowhere.
 * @param {string} name
 * @param {import("../screen/terminal.js").Terminal} [terminal]
 * @returns {Promise<Input>}
 */
export async function openInput(name, terminal) {
  if (name === STDIN && terminal) return input("stdin", () => terminal.stdin);
  const [found] = await Promise.all([stat(name), access(name, constants.R_OK)]).catch((error) => unreadable(name, error));
  return input(name, () => createReadStream(name, { highWaterMark: 2 ** 18 }), found.isFile() ? found.size : undefined);
}

/**
 * @param {string} name
 * @param {() => AsyncIterable<Buffer>} opened
 * @param {number} [size]
 * @returns {Input}
 */
function input(name, opened, size) {
  const self = { name, size, bytesRead: 0, chunks: chunks() };
  return self;

  async function* chunks() {
    try {
      for await (const chunk of opened()) {
        self.bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      unreadable(name, error);
    }
  }
}

/**
 * Reads a small file as text.
 * @param {string} name
 */
export async function readText(name) {
  return textOf(await readBytes(name));
}

/**
 * @param {string} name
 * @returns {Promise<Buffer>}
 */
export async function readBytes(name) {
  return readFile(name).catch((error) => unreadable(name, error));
}

/**
 * @param {Buffer} bytes
 * @returns {string}
 */
export function textOf(bytes) {
  return bytes.toString().replace(/^\ufeff/, "");
}

/** Names of inputs for a sentence. */
export const shownNames = (names) => names.map((name) => (name === STDIN ? "stdin" : name)).join(", ");

/**
 * @param {string} name
 * @param {unknown} error
 * @returns {never}
 */
export function unreadable(name, error) {
  throw new Failure(`cannot read ${name}: ${sentence(error)}`);
}
