export { default as file } from "order-cost/wasm?url";
