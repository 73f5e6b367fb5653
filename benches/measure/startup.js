// The start-up cost of a page or an isolate before its first order, in Node and in a browser alike.
import { median } from "./measure.js";

const SAMPLES = 9;

const BINDINGS = new URL("order_cost.js", import.meta.resolve("order-cost/wasm")).href;

/**
 * Milliseconds to compile and to instantiate the module.
 * @param {Uint8Array} bytes the module's bytes
 */
export async function measureStartup(bytes) {
  const compile = [];
  const instantiate = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const unseen = withTag(bytes, sample);
    const start = performance.now();
    const module = await WebAssembly.compile(unseen);
    compile.push(performance.now() - start);
    const bindings = await import(`${BINDINGS}?${sample}`);
    const instantiated = performance.now();
    bindings.initSync({ module });
    instantiate.push(performance.now() - instantiated);
  }
  return { compile: median(compile), instantiate: median(instantiate) };
}

/** V8 does not compile the same bytes twice. A custom section makes them different. */
export function withTag(bytes, tag) {
  return new Uint8Array([...bytes, 0, 2, 1, tag]);
}

/** Bytes of the module's memory. It never shrinks, so after large orders this is what the largest one needed. */
export const memoryBytes = async () => (await import(BINDINGS)).initSync().memory.buffer.byteLength;
