// The encoding of a file: UTF-8, or for rows UTF-16 with a byte order mark.
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { codeOf, Fault } from "../../command-line/index.js";

const SAVE = 'save it as "CSV UTF-8"';

/** @type {Record<string, string>} by its byte order mark */
const UTF_16 = { fffe: "utf-16le", feff: "utf-16be" };

/**
 * @param {string} file
 * @param {Buffer} start its first bytes
 * @returns {string} as TextDecoder names it
 */
export function encodingOf(file, start) {
  const marked = UTF_16[start.toString("hex", 0, 2)];
  if (marked === undefined && start.includes(0)) {
    throw new Fault(`${file}:1: expected UTF-8, got bytes of 0, as in a workbook or in UTF-16 without a byte order mark: ${SAVE}`);
  }
  return marked ?? "utf-8";
}

/**
 * The text of a file in parts, without a byte order mark. Throws a Fault where UTF-8 is none.
 * @param {string} file
 * @param {string} encoding
 * @param {AsyncIterable<Uint8Array>} chunks
 * @returns {AsyncGenerator<string>}
 */
export async function* textsOf(file, encoding, chunks) {
  const decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (codeOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA") await refuseFirstOther(file);
    throw error;
  }
}

/** What Windows-874, and TIS-620 within it, has for Thai: three letters or marks that follow each other. */
const THAI = /[\xa1-\xda\xdf-\xfb]{3}/;

/**
 * What a text seems to be that is no UTF-8.
 * @param {string} latin1 its bytes, read as Latin-1
 */
export const otherBytes = (latin1) => (THAI.test(latin1) ? "what looks like Thai in Windows-874 (TIS-620)" : "other bytes");

/**
 * Reads the file again: only a file that is refused needs the number of the line.
 * @param {string} file
 */
async function refuseFirstOther(file) {
  let line = 0;
  for await (const text of linesOf(createReadStream(file, "latin1"))) {
    line += 1;
    if (isUtf8(Buffer.from(text, "latin1"))) continue;
    throw new Fault(`${file}:${line}: expected UTF-8, got ${otherBytes(text)}: ${SAVE}`);
  }
}

/**
 * Lines as editors count them, whatever ends them.
 * @param {AsyncIterable<string>} texts a text in parts
 */
export async function* linesOf(texts) {
  let rest = "";
  for await (const text of texts) {
    rest += text;
    if (!/[\r\n]/.test(text)) continue; // the parts of a long line are joined once
    const lines = rest.split(/\r\n|\n|\r(?=[^\n])/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest.replace(/\r$/, "");
}
