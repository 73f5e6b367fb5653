/**
 * Keeps texts by name, least recently used out first.
 * @param {number} mostBytes the bound on their sum
 */
export function createTextCache(mostBytes) {
  /** A Map lists its entries in the sequence in which they were set. */
  const texts = new Map();
  let bytes = 0;

  function drop(name) {
    bytes -= bytesOf(texts.get(name) ?? "");
    texts.delete(name);
  }

  return {
    get bytes() {
      return bytes;
    },

    get(name) {
      const text = texts.get(name);
      if (text === undefined) return undefined;
      texts.delete(name);
      texts.set(name, text);
      return text;
    },

    keep(name, text) {
      drop(name);
      if (bytesOf(text) > mostBytes) return; // it would push everything else out, and still not fit
      texts.set(name, text);
      bytes += bytesOf(text);
      while (bytes > mostBytes) drop(texts.keys().next().value);
    },
  };
}

/** Our texts are ASCII, which V8 holds in one byte a character. Only zones may have Thai names: two bytes for each. */
const bytesOf = (text) => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;
