// The demo shop. The page has its host, too.
export { createSeedHost } from "./seed-host.js";
