// Breaks sentences into lines. Thai has no spaces between words: the engine knows where they end.
import { printable } from "./printable.js";
import columnsOf from "./terminal-width.cjs";

const WORDS = new Intl.Segmenter("th", { granularity: "word" });
const THAI = /(\p{Script=Thai}+)/u;

/** The lines of a text, none of more than `width` columns. A longer word is cut. */
export function wrap(text, width) {
  const lines = [""];
  const pieces = printable(text)
    .split(/(?<= )/)
    .flatMap(piecesOf);
  for (const piece of pieces.flatMap((piece) => (columnsOf(piece.trimEnd()) > width ? cut(piece, width) : piece))) {
    const line = lines.at(-1) + piece;
    if (lines.at(-1) !== "" && columnsOf(line.trimEnd()) > width) lines.push(piece);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => line.trimEnd());
}

/** The parts of a word between which a line may break: Thai words, each with what follows it. */
function piecesOf(word) {
  const pieces = [""];
  for (const run of word.split(THAI)) {
    if (THAI.test(run)) for (const { segment } of WORDS.segment(run)) pieces.push(segment);
    else pieces[pieces.length - 1] += run;
  }
  return pieces.filter(Boolean);
}

const CHARACTERS = new Intl.Segmenter("th", { granularity: "grapheme" });

function cut(word, width) {
  const parts = [""];
  for (const { segment } of CHARACTERS.segment(word)) {
    if (columnsOf(parts.at(-1) + segment) > width) parts.push(segment);
    else parts[parts.length - 1] += segment;
  }
  return parts;
}
