// What a page or an isolate pays before its first order, the same in Node and in a browser.
import { initSync } from "../pkg/wasm/order_cost.js";
import { median } from "./measure.js";

const SAMPLES = 9;

/**
 * Milliseconds to compile the module and to instantiate it.
 * @param {Uint8Array} bytes of the module
 */
export async function measureStartup(bytes) {
  const compile = [];
  const instantiate = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const unseen = withTag(bytes, sample);
    const start = performance.now();
    const module = await WebAssembly.compile(unseen);
    compile.push(performance.now() - start);
    const bindings = await import(`../pkg/wasm/order_cost.js?${sample}`);
    const instantiated = performance.now();
    bindings.initSync({ module });
    instantiate.push(performance.now() - instantiated);
  }
  return { compile: median(compile), instantiate: median(instantiate) };
}

/** V8 compiles no bytes twice: a custom section makes them others. */
function withTag(bytes, tag) {
  return new Uint8Array([...bytes, 0, 2, 1, tag]);
}

/** Bytes of the module's memory, which never shrinks: after large orders, what the largest needed. */
export const memoryBytes = () => initSync().memory.buffer.byteLength;
