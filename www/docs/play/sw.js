// Keeps the playground for use without a network: the files of its last visit, and nothing else. make/main.mjs puts this file
// at the top of the site, because a worker answers only for what stands below it.

const KEPT = "order-cost.docs";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The page sends the list of files that it loaded, and gets a message when all of them are stored. */
self.addEventListener("message", (event) => {
  const keep = async () => {
    const cache = await caches.open(KEPT);
    const isKept = await cache.addAll(event.data).then(() => true, () => false); // offline what is stored stays
    if (!isKept) return;
    const files = new Set(event.data.map((url) => new URL(url, self.location).href));
    for (const request of await cache.keys()) if (!files.has(request.url)) await cache.delete(request);
    event.source.postMessage("kept");
  };
  event.waitUntil(keep());
});

/** Online the network answers. */
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});

async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(KEPT)).match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
