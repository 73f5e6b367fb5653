// The service on Cloudflare.
export { onCloudflare } from "./platform.js";
