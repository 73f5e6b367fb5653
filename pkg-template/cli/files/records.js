// Splits bytes into orders or responses: one per line, one document, or the items of a JSON array.
import { isUtf8 } from "node:buffer";
import { partsOf, tooDeepAt } from "../../shared/index.js";
import { Failure } from "./failure.js";
import { isJson } from "./json-fault.js";

/** Input without one record per line is read as a whole, up to this size. */
const MOST_DOCUMENT_BYTES = 256 * 2 ** 20;
const TOO_LARGE_ARRAY = "a JSON array of over 256 MiB; write one item a line instead";
const ITEMS_PER_BLOCK = 64;
const NEW_LINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * @typedef {object} InputRecord
 * @property {Buffer} bytes
 * @property {string} name of the input
 * @property {string} place where it stands
 * @property {number} [line] the number of a line
 * @property {number} [offset] of a line in the input
 * @property {boolean} [isWhole] it is the whole input
 * @property {number} [items] of an item of a JSON array, how many there are
 */

/**
 * Yields blocks of records. Of a line longer than `mostBytes` only `mostBytes + 1` bytes are kept, which show that it is too
 * long.
 * @param {import("./input.js").Input} input
 * @param {{ mostBytes?: number, hasBroken?: boolean }} [options] `hasBroken`: any line may be broken, also the first ones
 * @returns {AsyncGenerator<InputRecord[]>}
 */
export async function* recordBlocks(input, { mostBytes = MOST_DOCUMENT_BYTES, hasBroken = false } = {}) {
  const { document, chunks, start } = await readHead(input, hasBroken ? isWholeDocument : isDocument);
  yield* document ? documentBlocks(input.name, document) : lineBlocks(input.name, chunks, start, mostBytes);
}

/**
 * Returns the input as one `document`, or its `chunks` if it has a record per line: the first line alone is JSON. The
 * chunks begin `start` bytes after the beginning of the input.
 * @param {import("./input.js").Input} input its size is read once its first bytes are
 * @param {(bytes: Buffer) => boolean} isDocument
 */
async function readHead(input, isDocument) {
  const { name, chunks } = input;
  const read = [];
  const soFar = () => withoutMark(Buffer.concat(read));
  const lines = () => ({ chunks: resumed(soFar(), chunks), start: Buffer.concat(read).length - soFar().length });
  let bytes = 0;
  let first;
  for (let next; !(next = await chunks.next()).done; ) {
    read.push(next.value);
    bytes += next.value.length;
    if (first === undefined && next.value.includes(NEW_LINE)) {
      [first] = wholeLines(soFar());
      if (isRecord(first) && bytes < (input.size ?? Infinity)) return lines();
    }
    if (bytes > MOST_DOCUMENT_BYTES) {
      if (/^\s*\[/.test(`${soFar().subarray(0, 1000)}`)) throw new Failure(`${name}: ${TOO_LARGE_ARRAY}`);
      return lines();
    }
  }
  return isDocument(soFar()) ? { document: soFar() } : lines();
}

/**
 * Whether the bytes are one document, which may be broken. If the second line is JSON by itself and the whole is not,
 * the bytes are records, one per line, and only the first record is broken.
 */
function isDocument(bytes) {
  const [first, second] = wholeLines(bytes, bytes.length);
  if (first === undefined || second === undefined) return first !== undefined;
  return !isRecord(first) && (isJsonDocument(bytes) || !isRecord(second));
}

/** The same where any line may be broken: it is a document, or no line is a record. */
function isWholeDocument(bytes) {
  if (isJsonDocument(bytes)) return true;
  let lines = 0;
  for (const line of linesIn(bytes)) {
    if (isRecord(line)) return false;
    lines += 1;
  }
  return lines > 0;
}

/** The first two lines before `end` that are not blank. */
function wholeLines(bytes, end = bytes.lastIndexOf(NEW_LINE)) {
  const lines = linesIn(bytes, end);
  return [lines.next().value, lines.next().value];
}

/** The lines before `end` that are not blank. */
function* linesIn(bytes, end = bytes.length) {
  for (let start = 0; start < end; ) {
    const newLine = bytes.indexOf(NEW_LINE, start);
    const stop = newLine < 0 ? end : newLine;
    const line = bytes.subarray(start, stop);
    if (!isBlank(line)) yield `${line}`;
    start = stop + 1;
  }
}

/** Whether a line is a JSON object by itself: orders and responses are objects. */
function isRecord(line) {
  return line !== undefined && /^\s*\{/.test(line) && isJson(line);
}

function isJsonDocument(bytes) {
  return isUtf8(bytes) && isJson(`${bytes}`) && tooDeepAt(`${bytes}`) === undefined;
}

function withoutMark(bytes) {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

async function* resumed(read, chunks) {
  try {
    if (read.length > 0) yield read;
    yield* chunks;
  } finally {
    // A caller that stops early may not have reached the chunks: a pipe left open would keep the command running.
    await chunks.return();
  }
}

function* documentBlocks(name, bytes) {
  const isArray = /^\s*\[/.test(`${bytes.subarray(0, 1000)}`) && isJsonDocument(bytes);
  if (!isArray) return yield [{ bytes, name, place: name, isWhole: true }];
  const items = partsOf(`${bytes}`).map(({ value }, index, { length }) => ({
    bytes: Buffer.from(value),
    name,
    place: `${name}, item ${index + 1}`,
    items: length,
  }));
  for (let start = 0; start < items.length; start += ITEMS_PER_BLOCK) yield items.slice(start, start + ITEMS_PER_BLOCK);
}

async function* lineBlocks(name, chunks, start, mostBytes) {
  const text = new Line(mostBytes);
  let line = 0;
  let offset = start;
  const finished = () => {
    line += 1;
    const record = { name, line, place: `${name}:${line}`, offset };
    offset += text.size + 1;
    record.bytes = text.take();
    return isBlank(record.bytes) ? [] : [record];
  };
  for await (const chunk of chunks) {
    const block = [];
    let from = 0;
    for (let end; (end = chunk.indexOf(NEW_LINE, from)) >= 0; from = end + 1) {
      text.add(chunk.subarray(from, end));
      block.push(...finished());
    }
    text.add(chunk.subarray(from));
    if (block.length > 0) yield block;
  }
  const last = finished();
  if (last.length > 0) yield last;
}

/** Collects the pieces of a line. */
class Line {
  #room;
  #mostBytes;
  #pieces = [];
  /** Of the whole line, in bytes. */
  size = 0;

  constructor(mostBytes) {
    this.#mostBytes = mostBytes;
    this.#room = mostBytes + 1;
  }

  add(piece) {
    this.size += piece.length;
    const kept = piece.subarray(0, this.#room);
    this.#room -= kept.length;
    if (kept.length > 0) this.#pieces.push(kept);
  }

  take() {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#room = this.#mostBytes + 1;
    this.size = 0;
    return bytes;
  }
}

function isBlank(bytes) {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
