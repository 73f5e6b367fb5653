// Keeps a page for use without a network: the files of its last visit, and nothing else. The demo has one, and so has the
// playground: make/main.mjs of the documents puts a copy at their top, because a worker answers only for what is below it.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** "order-cost" for the demo, "order-cost.docs" for what is in docs/. */
const KEPT = `order-cost${new URL(worker.registration.scope).pathname.slice(0, -1).replaceAll("/", ".")}`;

/** A page stores what it reads of a catalogue itself. */
const CATALOGUE = `${worker.registration.scope}catalogue/`;

/** @param {string} url */
const isOurs = (url) => url.startsWith(worker.registration.scope) && !url.startsWith(CATALOGUE);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

/** The page sends the list of files that it loaded, and gets a message when all of them are stored. */
worker.addEventListener("message", (event) => {
  const keep = async () => {
    const urls = /** @type {string[]} */ (event.data);
    const cache = await caches.open(KEPT);
    const files = new Set(urls.map((url) => new URL(url, worker.location.href).href).filter(isOurs));
    // Offline, or with the storage full, what is stored stays.
    const isKept = await cache.addAll([...files]).then(
      () => true,
      () => false,
    );
    if (!isKept) return;
    for (const request of await cache.keys()) if (!files.has(request.url)) await cache.delete(request);
    event.source?.postMessage("kept");
  };
  event.waitUntil(keep());
});

worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && isOurs(url)) event.respondWith(answer(event.request));
});

/**
 * Online the network answers. To store that here would fill the storage with `?utm=1`, and fail for parts of files.
 * @param {Request} request
 */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(KEPT)).match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
