export const file = new URL("order-cost/wasm", import.meta.url);
