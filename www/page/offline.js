import { byId } from "./dom.js";

/** Stores everything that the page loaded, so that the page also opens offline. */
export async function keepForOffline() {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return; // on plain http
  serviceWorker.addEventListener("message", () => (byId("offline").hidden = false));
  const registered = await serviceWorker.register("sw.js").catch(() => undefined);
  if (registered === undefined) return; // some private windows forbid it
  const [{ active }] = await Promise.all([serviceWorker.ready, ...[...document.fonts].map((font) => font.load())]);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = loaded.filter((url) => url.startsWith(new URL("./", location.href)) && !url.endsWith("/sw.js"));
  active.postMessage([...new Set([location.pathname, ...own])]);
}
