// What is logged where a runtime has only a console.

const MOST_CHARACTERS = 500;

/** Writes one line about an error: what it and its causes say, and where the first was thrown. */
export function logError(what, error) {
  console.error(printable([what, ...messages(error), places(error)].filter(Boolean).join(": ")).slice(0, MOST_CHARACTERS));
}

function* messages(error) {
  for (let cause = error, depth = 0; cause !== undefined && depth < 5; cause = cause?.cause, depth += 1) {
    yield text(cause?.message ?? cause);
  }
}

const places = (error) => text(error?.stack ?? "").split("\n").slice(1).join(" ");

/** Anything can be thrown, also what cannot be made a text. */
function text(thrown) {
  try {
    return `${thrown}`;
  } catch {
    return typeof thrown;
  }
}

/** Text of others must not look like a record of ours, or steer a terminal. */
const printable = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
