/** The bytes of a hexadecimal text. */
export function bytesOf(hex) {
  if (Uint8Array.fromHex) return Uint8Array.fromHex(hex);
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = (digit(hex, 2 * index) << 4) | digit(hex, 2 * index + 1);
  }
  return bytes;
}

/** The value of the hex digit at a place: the codes 48 to 57 are 0 to 9, and 97 to 102 are a to f. */
function digit(hex, place) {
  const code = hex.charCodeAt(place);
  return code < 58 ? code - 48 : code - 87;
}
