/**
 * The address of the module's file, as a bundler makes it that copies files. Of `order-cost/wasm` it is for
 * {@link PricerOptions.module} of `order-cost`, and of `order-cost/calculate/wasm` for that of `order-cost/calculate`.
 */
declare const address: string;
export default address;
