// Files and standard input.
import { open, readFile } from "node:fs/promises";
import { Failure, sentence } from "./failure.js";

/**
 * A file, or standard input where the name is `-`: its name for messages, its bytes in chunks,
 * how many there are where that is known, and how many have been read.
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

/** All of a small file, as text. */
export async function readText(name) {
  const text = await readFile(name, "utf8").catch((error) => unreadable(name, error));
  return text.replace(/^\ufeff/, "");
}

function unreadable(name, error) {
  throw new Failure(`cannot read ${name}: ${sentence(error)}`);
}
