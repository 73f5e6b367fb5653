/**
 * The address of the module's file, from a bundler that copies files. Fetch it for {@link PricerOptions.module}: give
 * that of `order-cost/wasm` to `order-cost`, and that of `order-cost/calculate/wasm` to `order-cost/calculate`.
 */
declare const address: string;
export default address;
