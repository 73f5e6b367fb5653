// JSON text of what JavaScript hands over.

/** Stands for what JSON cannot write until the text is made. */
const UNWRITABLE = "\u0000order-cost: not JSON";
const UNWRITABLE_TEXT = JSON.stringify(UNWRITABLE);

/**
 * The JSON text of a value. Where it holds a NaN, an infinity or a BigInt the
 * text has a bare `NaN` there, which the module refuses in every field that is
 * read (D14), and `unwritable` is true. A value that cannot be written at all
 * (a cycle, a getter that throws) gives no text, and what was `thrown`.
 */
export function jsonText(value) {
  try {
    const text = JSON.stringify(value);
    // JSON.stringify turns what it cannot write into null.
    if (text !== undefined && !text.includes("null")) return { text, unwritable: false };
  } catch {
    // A BigInt, or something worse: the careful way tells.
  }
  return carefulText(value);
}

function carefulText(value) {
  try {
    const text = JSON.stringify(value, marked) ?? UNWRITABLE_TEXT;
    const unwritable = text.includes(UNWRITABLE_TEXT);
    return { text: unwritable ? text.replaceAll(UNWRITABLE_TEXT, "NaN") : text, unwritable };
  } catch (thrown) {
    return { text: "", unwritable: false, thrown };
  }
}

function marked(_key, value) {
  const writable = typeof value === "number" ? Number.isFinite(value) : typeof value !== "bigint";
  return writable ? value : UNWRITABLE;
}
