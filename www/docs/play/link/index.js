// The playground's state, and the link that keeps it.
export { createAddress } from "./address.js";
export { tooBig } from "./state.js";
