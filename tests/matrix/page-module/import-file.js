import address from "order-cost/wasm";

export const file = new URL(address, import.meta.url);
