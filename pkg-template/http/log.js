// The log for runtimes that have only a console.

const MOST_CHARACTERS = 500;

/** Writes one line about an error: its message, the messages of its causes, and the place where it was thrown. */
export function logError(what, error) {
  console.error(printable([what, ...messages(error), places(error)].filter(Boolean).join(": ")).slice(0, MOST_CHARACTERS));
}

function* messages(error) {
  for (let cause = error, depth = 0; cause !== undefined && depth < 5; cause = cause?.cause, depth += 1) {
    yield text(cause?.message ?? cause);
  }
}

const places = (error) =>
  text(error?.stack ?? "")
    .split("\n")
    .slice(1)
    .join(" ");

/** The text of a thrown value. Anything can be thrown, even a value that cannot be turned into text. */
function text(thrown) {
  try {
    return `${thrown}`;
  } catch {
    return typeof thrown;
  }
}

/** Escapes control characters: foreign text must not imitate our log lines or control a terminal. */
const printable = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
