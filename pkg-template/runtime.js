/** Whether this is workerd, the runtime of Cloudflare Workers. */
export const IS_WORKERD = globalThis.navigator?.userAgent === "Cloudflare-Workers";
