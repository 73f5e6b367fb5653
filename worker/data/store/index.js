// Where versions are stored: in a folder, in KV on this machine, in KV at Cloudflare.
export { BINDING, createCommand, isPlaceholder, readSettings } from "./binding.js";
export { Cloudflare } from "./cloudflare-api.js";
export { push } from "./push.js";
export { LOCAL_STATE, openStore } from "./store.js";
