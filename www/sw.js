// Stores what the page loads, for offline use. Online, the network's answer counts and replaces the stored one.

const KEPT = "order-cost";

/** The page stores what it reads of the catalogue itself. */
const CATALOGUE = `${self.registration.scope}catalogue/`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The page sends the list of files that it loaded, and gets a message when all of them are stored. */
self.addEventListener("message", (event) => {
  const keep = async () => {
    const cache = await caches.open(KEPT);
    // Offline nothing can be fetched, and what is stored stays.
    const files = event.data.filter((url) => !url.startsWith(CATALOGUE));
    const isKept = await cache.addAll(files).then(() => true, () => false);
    if (isKept) event.source.postMessage("kept");
  };
  event.waitUntil(keep());
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const isOurs = url.startsWith(self.registration.scope) && !url.startsWith(CATALOGUE);
  if (method === "GET" && isOurs) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}
