import { inPool } from "../groups.js";
import { tooLate, within } from "../within.js";
import { isNamedByContent } from "./keys.js";

/** A browser holds back more than six requests to a host of HTTP/1.1; those behind them would look late. */
const MOST_AT_ONCE = 6;

/** A network that neither answers nor fails must not keep from a visitor what was read at the last visit. */
const PATIENCE_MS = 2_000;

/** Reads a catalogue's texts from files at a URL. See catalogue.d.ts. */
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

  async function fetched(url, signal, mode) {
    const response = await fetch(url, { signal, cache: mode });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return response.text();
  }

  /** What never changes. `again`: the copy here may be damaged. */
  async function contentText(url, { signal, again }) {
    const known = again ? undefined : await cachedText(url);
    if (known !== undefined) return known;
    const text = await fetched(url, signal, again ? "reload" : "force-cache");
    if (text !== null) await keep(url, text);
    return text;
  }

  /** What may change. Without a network, what it was at the last visit. */
  async function latestText(url, { signal }) {
    const known = await cachedText(url);
    try {
      const text = await within(known === undefined ? 0 : PATIENCE_MS, fetched(url, signal, "no-cache"), tooLate(PATIENCE_MS));
      if (text === null) return null;
      JSON.parse(text); // somebody else's page, before a visitor is let into the network, must not take its place
      await keep(url, text);
      return text;
    } catch (error) {
      return known ?? (await fetched(url, signal, "force-cache").catch(() => Promise.reject(error)));
    }
  }

  return async function read(names, call) {
    const texts = new Map();
    await inPool(names, MOST_AT_ONCE, async (name) => {
      texts.set(name, await (isNamedByContent(name) ? contentText : latestText)(urlOf(name), call));
    });
    return texts;
  };
}
