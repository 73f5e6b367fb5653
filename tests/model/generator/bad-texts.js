/** Ways to spoil the text of the body. Each returns a body, as text or as bytes. */
export const BAD_TEXTS = {
  truncated: (random, text) => text.trimEnd().slice(0, random.integer(0, text.trimEnd().length - 1)),
  "text after": (random, text) => text + random.pick(["x", "{}", ",", "\u0000", "null"]),
  "stray character"(random, text) {
    const at = random.integer(0, text.length);
    return text.slice(0, at) + random.pick(["\u0001", "]", "'", "\\", "NaN", ",,", "\ufeff"]) + text.slice(at);
  },
  "too deep"(random, text) {
    const levels = random.pick([126, 127, 128, 129, 1000]);
    const deep = random.chance(0.5) ? "[".repeat(levels) + "]".repeat(levels) : `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`;
    const name = random.pick(["note", "cartDiscountInfo"]);
    return `${text.trimEnd().slice(0, -1)},"${name}":${deep}}`;
  },
  "not UTF-8"(random, text) {
    const bytes = [...new TextEncoder().encode(text)];
    bytes.splice(
      random.integer(0, bytes.length),
      0,
      ...random.pick([[0xff], [0xc0, 0xa2], [0xed, 0xa0, 0xbd], [0xe0, 0xb8], [0x80], [0xf4, 0x90, 0x80, 0x80]]),
    );
    return Uint8Array.from(bytes);
  },
};
