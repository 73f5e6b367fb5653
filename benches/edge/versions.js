// Builds and pushes catalogues, as an operator does, and measures it.
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../../worker/data/build/index.js";

const MAIN = fileURLToPath(new URL("../../worker/data/main.js", import.meta.url));
const MEMORY = 'data:text/javascript,process.on("exit",()=>console.error("maxRSS",process.resourceUsage().maxRSS))';

/**
 * Runs a command of `npm run data`; gives its seconds, and the MiB that it took at most.
 * @param {string[]} words
 * @returns {Promise<{ seconds: number, mebibytes: number }>}
 */
export function runData(...words) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, ["--import", MEMORY, MAIN, ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
    child.on("exit", (code) => {
      const kilobytes = /maxRSS (\d+)/.exec(printed)?.[1];
      if (code !== 0 || kilobytes === undefined) return reject(new Error(`data ${words.join(" ")}: ${printed}`));
      resolve({ seconds: (performance.now() - start) / 1_000, mebibytes: Number(kilobytes) / 1_024 });
    });
  });
}

/** Builds a version with shards of another size than the chosen one. */
export async function buildVersion(prices, out, shardBytes) {
  const report = {
    fault: (text) => console.error(text),
    notice: () => {},
    progress: () => ({ update() {}, clear() {}, stop() {} }),
  };
  const openStore = () => Promise.reject(new Error("Nothing of what is in use stays"));
  return build({ prices, noZones: true, out, shardBytes }, openStore, report);
}

/** Everything that KV has while a built version is in use, by key. */
export async function textsOf(folder) {
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  const texts = new Map([["current", JSON.stringify({ ...manifest, activatedAt: manifest.builtAt, predecessors: [] })]]);
  for (const kind of ["shard", "layer", "branch", "zones"]) {
    for (const hash of await readdir(join(folder, kind)).catch(() => [])) {
      texts.set(`${kind}:${hash}`, await readFile(join(folder, kind, hash), "utf8"));
    }
  }
  return texts;
}
