// The sizes of the package, for the benchmarks.
export { bundled, entrySizes, sizeTable, wasmBeside } from "./sizes.mjs";
