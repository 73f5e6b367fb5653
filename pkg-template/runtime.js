/** Whether this is workerd, the runtime of Cloudflare Workers. */
export const IS_WORKERD = globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** The longest delay of a timer. With a longer one it fires at once. */
export const MOST_TIMER_MS = 2 ** 31 - 1;
