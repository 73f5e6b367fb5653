// Reads files and standard input.
import { open, readFile } from "node:fs/promises";
import { Failure, sentence } from "./failure.js";

/**
 * Opens a file, or standard input if the name is `-`. Returns the name for messages, the bytes in chunks, the size in
 * bytes if it is known, and the number of bytes read so far.
 */
export async function openInput(name) {
  if (name === "-") return input("stdin", process.stdin);
  const handle = await open(name).catch((error) => unreadable(name, error));
  const stat = await handle.stat();
  return input(name, handle.createReadStream({ highWaterMark: 2 ** 18 }), stat.isFile() ? stat.size : undefined);
}

function input(name, stream, size) {
  const self = { name, size, bytesRead: 0, chunks: chunks() };
  return self;

  async function* chunks() {
    try {
      for await (const chunk of stream) {
        self.bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      unreadable(name, error);
    }
  }
}

/** Reads a small file as text. */
export async function readText(name) {
  return textOf(await readBytes(name));
}

export async function readBytes(name) {
  return readFile(name).catch((error) => unreadable(name, error));
}

export function textOf(bytes) {
  return bytes.toString().replace(/^\ufeff/, "");
}

function unreadable(name, error) {
  throw new Failure(`cannot read ${name}: ${sentence(error)}`);
}
