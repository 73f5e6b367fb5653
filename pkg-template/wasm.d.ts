import type { WasmModule } from "order-cost";

/**
 * The module's file as your tool imports it: a `WebAssembly.Module` in a Worker, the file's address where a bundler copies
 * files. Of `order-cost/wasm` it is for {@link PricerOptions.module} of `order-cost`, and of `order-cost/calculate/wasm`
 * for that of `order-cost/calculate`.
 */
declare const file: WasmModule & string;
export default file;
