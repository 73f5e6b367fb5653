// The captures on this machine.
export { LOCAL_STORES } from "./local-captures.js";
