// Stores what the page has loaded, so that it opens without a network, too.

/**
 * @param {() => void} onKept
 * @param {AbortSignal} signal
 */
export async function keepForOffline(onKept, signal) {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return; // on plain http
  serviceWorker.addEventListener("message", ({ data }) => data === "kept" && onKept(), { signal });
  const registered = await serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`).catch(() => undefined);
  if (registered === undefined) return; // some private windows forbid it
  const fonts = [...document.fonts].map((font) => font.load().catch(() => {}));
  const [{ active }] = await Promise.all([serviceWorker.ready, ...fonts]);
  if (signal.aborted) return;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const linked = [...document.querySelectorAll("link[href], script[src]")].map(addressOf);
  const base = new URL(import.meta.env.BASE_URL, location.href).href;
  const own = [...loaded, ...linked].filter((url) => url.startsWith(base) && !url.endsWith("/sw.js"));
  active?.postMessage([...new Set([location.pathname, ...own])]);
}

/** @param {Element} loading a link or a script */
const addressOf = (loading) => (loading instanceof HTMLLinkElement ? loading.href : /** @type {HTMLScriptElement} */ (loading).src);
