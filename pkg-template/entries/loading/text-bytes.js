// Decodes the module from the text in which a script for pages contains it; xtask/package/module-text.mjs writes it.

/** The characters that stand as they are in every kind of JavaScript string, and in a script element of HTML. */
export const CHARACTERS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
  (character) => !"\"\\'`<$".includes(character),
);

/** The last characters, which begin the text of a rare byte. */
export const PREFIXES = 2;

/** `alphabet` lists all bytes in hexadecimal, the commonest first: one character each, and two where those run out. */
export function bytesOfText({ size, alphabet, text }) {
  const values = new Uint8Array(128);
  CHARACTERS.forEach((character, value) => (values[character.charCodeAt(0)] = value));
  const byteAt = (place) => parseInt(alphabet.slice(2 * place, 2 * place + 2), 16);
  const order = Uint8Array.from({ length: 256 }, (_, place) => byteAt(place));
  const singles = CHARACTERS.length - PREFIXES;
  const bytes = new Uint8Array(size);
  for (let index = 0, at = 0; index < size; index += 1) {
    const value = values[text.charCodeAt(at++)];
    const isSingle = value < singles;
    bytes[index] = order[isSingle ? value : singles + (value - singles) * CHARACTERS.length + values[text.charCodeAt(at++)]];
  }
  return bytes;
}
