// The core as a module without a binding: shows the cost of wasm itself. See core/module.rs.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * @param {string} script the bindings of benches/core
 * @param {string} workFolder
 */
export async function startModule(script, workFolder) {
  const { Core, initSync } = await import(pathToFileURL(script).href);
  initSync({ module: readFileSync(join(dirname(script), "core_bg.wasm")) });
  const zones = readFileSync(join(workFolder, "zones.json"), "utf8");
  const cores = new Map();
  const decoder = new TextDecoder();

  function core(set) {
    if (!cores.has(set)) cores.set(set, new Core(zones, readFileSync(join(workFolder, `${set}.json`))));
    return cores.get(set);
  }

  return {
    /** The responses to the `count` orders of a set. */
    responses: (set, count) => Array.from({ length: count }, (_, place) => decoder.decode(core(set).response(place))),
    /** Nanoseconds per order of a set, over its `count` orders. */
    async time(set, count) {
      const start = performance.now();
      core(set).priceAll();
      return ((performance.now() - start) * 1_000_000) / count;
    },
  };
}
