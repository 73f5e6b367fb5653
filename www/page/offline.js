import { byId } from "../dom/index.js";

/** Stores everything that the page loaded, so that the page also opens offline. */
export async function keepForOffline() {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return; // on plain http
  serviceWorker.addEventListener("message", () => (byId("offline").hidden = false));
  const registered = await serviceWorker.register("sw.js").catch(() => undefined);
  if (registered === undefined) return; // some private windows forbid it
  const fonts = [...document.fonts].map((font) => font.load().catch(() => {})); // one of the machine may not be there
  const [{ active }] = await Promise.all([serviceWorker.ready, ...fonts]);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const linked = [...document.querySelectorAll("link")].map(({ href }) => href); // also what only an installation loads
  const own = [...loaded, ...linked].filter((url) => url.startsWith(new URL("./", location.href).href) && !url.endsWith("/sw.js"));
  active?.postMessage([...new Set([location.pathname, ...own])]);
}
