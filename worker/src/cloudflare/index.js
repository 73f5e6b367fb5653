// The service on Cloudflare.
export { onCloudflare } from "./cloudflare.js";
