// Where captured zones stand: beside the captures, or in the folder of `--zones-dir`.
import { access, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "./failure.js";
import { STDIN, unreadable } from "./input.js";

export const ZONES = "zones";

/** Beside a file of captures, or in a folder above: the decision log has `<day>/<kind>/<slot>`. */
const ABOVE = ["", "..", "../.."];

export class CapturedZones {
  #folder;
  /** The files that were found, by where each is looked for first. */
  #found = new Map();

  /** @param {string} [folder] of all captured zones */
  constructor(folder) {
    this.#folder = folder;
  }

  /** Refuses a folder that is not there. */
  async check() {
    if (this.#folder === undefined) return;
    const found = await stat(this.#folder).catch((error) => unreadable(this.#folder, error));
    if (!found.isDirectory()) throw new Failure(`${this.#folder}: expected a folder of zones`);
  }

  /** Where the zones of captures may stand. */
  folders(captureFiles) {
    return [...new Set(captureFiles.flatMap((file) => this.#foldersOf(file)))];
  }

  /** The file of the zones of a capture. */
  async file(captureFile, hash) {
    const files = this.#foldersOf(captureFile).map((folder) => join(folder, hash));
    if (files.length === 0) throw new Failure("stdin: its zones are missing: name their folder with --zones-dir");
    const found = this.#found.get(files[0]) ?? (await firstOf(files));
    if (found === undefined) throw new Failure(`${captureFile}: its zones are missing: ${files[0]}`);
    this.#found.set(files[0], found);
    return found;
  }

  #foldersOf(captureFile) {
    if (this.#folder !== undefined) return [this.#folder];
    return captureFile === STDIN ? [] : ABOVE.map((above) => join(dirname(captureFile), above, ZONES));
  }
}

async function firstOf(files) {
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
