// What comes from data must not control a terminal, forge a line or turn its text round.

const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Whether a text is one line that shows all of itself. */
export const isPrintable = (text) => text.search(CONTROLS) < 0;

/** Escapes control characters, line separators and marks of direction, as JSON does. */
export const printable = (text) =>
  `${text}`.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
