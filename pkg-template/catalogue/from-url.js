import { inPool, readUpTo, tooLate, within } from "../shared/index.js";
import { damageOf } from "./damage.js";
import { CURRENT_KEY, hashIn, isNamedByContent, mostBytesOf } from "./keys.js";
import { readCurrent, readManifest } from "./manifest.js";

/** A browser holds back more than six requests to a host of HTTP/1.1; those behind them would look late. */
const MOST_AT_ONCE = 6;

/** A network that neither answers nor fails must not keep from a visitor what was read at the last visit. */
const PATIENCE_MS = 2_000;

/**
 * Reads a catalogue's texts from files at a URL. See catalogue.d.ts.
 * @type {typeof import("order-cost/catalogue").fromUrl}
 */
export function fromUrl(base, { fetch = globalThis.fetch.bind(globalThis), cache } = {}) {
  function urlOf(name) {
    const url = new URL(base, globalThis.location?.href);
    url.pathname = `${url.pathname.replace(/\/*$/, "")}/${name.replace(":", "/")}`;
    return url.href;
  }

  /** A store of the browser that fails is one that has nothing, and keeps nothing. */
  async function cachedText(url) {
    const response = await cache?.match(url).catch(() => undefined);
    return response?.text();
  }
  const keep = async (url, text) => cache?.put(url, new Response(text)).catch(() => {});

  async function fetched(name, signal, mode) {
    const url = urlOf(name);
    const response = await fetch(url, { signal, cache: mode, redirect: "manual" });
    if (response.status === 404) return null;
    // A page does not learn the status of a redirect.
    if (!response.ok) throw new Error(`${url} answered ${response.status || "with a redirect"}`);
    const bytes = await readUpTo(response.body, mostBytesOf(name), signal);
    if (bytes === undefined) throw new Error(`${url} answered more than ${mostBytesOf(name)} bytes`);
    return new TextDecoder().decode(bytes);
  }

  /** What never changes. `again`: the copy here may be damaged. */
  async function contentText(name, { signal, again = false }) {
    const url = urlOf(name);
    const known = again ? undefined : await cachedText(url);
    if (known !== undefined) return known;
    const text = await fetched(name, signal, again ? "reload" : "force-cache");
    if (cache && (await damageOf(name, text)) === undefined) await keep(url, text);
    return text;
  }

  /** What may change. Without a network, what it was at the last visit. */
  async function latestText(name, { signal }) {
    const url = urlOf(name);
    const known = await cachedText(url);
    try {
      const text = await within(known === undefined ? 0 : PATIENCE_MS, fetched(name, signal, "no-cache"), tooLate(PATIENCE_MS));
      if (!cache || text === null || text === known) return text;
      await refuseOther(name, text); // somebody else's page or JSON, before a visitor is let into the network
      await keep(url, text);
      return text;
    } catch (error) {
      return known ?? (await fetched(name, signal, "force-cache").catch(() => Promise.reject(error)));
    }
  }

  return async function read(names, call) {
    const texts = new Map();
    await inPool(names, MOST_AT_ONCE, async (name) => {
      texts.set(name, await (isNamedByContent(name) ? contentText : latestText)(name, call));
    });
    return texts;
  };
}

/** Throws unless a text is the manifest that its name says: what a visitor keeps has been read. */
async function refuseOther(name, text) {
  if (name === CURRENT_KEY) return readCurrent(text);
  const { id } = await readManifest(text);
  if (id !== hashIn(name)) throw new Error(`${name}: expected its own version, got ${id}`);
}
