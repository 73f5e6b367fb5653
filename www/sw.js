// Keeps a page for use without a network: the files of its last visit, and nothing else. The demo has one, and so has the
// playground: make/main.mjs of the documents puts a copy at their top, because a worker answers only for what is below it.

/** "order-cost" for the demo, "order-cost.docs" for what is in docs/. */
const KEPT = `order-cost${new URL(self.registration.scope).pathname.slice(0, -1).replaceAll("/", ".")}`;

/** A page stores what it reads of a catalogue itself. */
const CATALOGUE = `${self.registration.scope}catalogue/`;

const isOurs = (url) => url.startsWith(self.registration.scope) && !url.startsWith(CATALOGUE);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The page sends the list of files that it loaded, and gets a message when all of them are stored. */
self.addEventListener("message", (event) => {
  const keep = async () => {
    const cache = await caches.open(KEPT);
    const files = new Set(event.data.map((url) => new URL(url, self.location).href).filter(isOurs));
    // Offline, or with the storage full, what is stored stays.
    const isKept = await cache.addAll([...files]).then(
      () => true,
      () => false,
    );
    if (!isKept) return;
    for (const request of await cache.keys()) if (!files.has(request.url)) await cache.delete(request);
    event.source.postMessage("kept");
  };
  event.waitUntil(keep());
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && isOurs(url)) event.respondWith(answer(event.request));
});

/** Online the network answers. To store that here would fill the storage with `?utm=1`, and fail for parts of files. */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(KEPT)).match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
