// Orders or responses out of bytes: one a line, or one document, or the items of a JSON array.
import { isUtf8 } from "node:buffer";
import { Failure } from "./failure.js";
import { isJson, jsonParts } from "./json-parts.js";

/** What is not one record a line is read as a whole, up to so many bytes. */
const MOST_DOCUMENT_BYTES = 256 * 2 ** 20;
const TOO_LARGE_ARRAY = "a JSON array of over 256 MiB; write one item a line instead";
const ITEMS_PER_BLOCK = 64;
const NEW_LINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Blocks of records `{ bytes, place }`; the place says where a record stands, and `isWhole` that it is all that there
 * is. Of a line longer than `mostBytes` only so many bytes and one more are kept.
 */
export async function* recordBlocks(input, mostBytes = MOST_DOCUMENT_BYTES) {
  const { document, chunks } = await readHead(input);
  yield* document ? documentBlocks(input.name, document) : lineBlocks(input.name, chunks, mostBytes);
}

/** The input as one document, or the chunks of one that has a record a line: its first line is JSON by itself. */
async function readHead({ name, chunks, size }) {
  const read = [];
  const soFar = () => withoutMark(Buffer.concat(read));
  let bytes = 0;
  let first;
  for (let next; !(next = await chunks.next()).done;) {
    read.push(next.value);
    bytes += next.value.length;
    if (first === undefined && next.value.includes(NEW_LINE)) {
      [first] = wholeLines(soFar());
      if (isRecord(first) && bytes < (size ?? Infinity)) return { chunks: resumed(soFar(), chunks) };
    }
    if (bytes > MOST_DOCUMENT_BYTES) {
      if (/^\s*\[/.test(`${soFar().subarray(0, 1000)}`)) throw new Failure(`${name}: ${TOO_LARGE_ARRAY}`);
      return { chunks: resumed(soFar(), chunks) };
    }
  }
  return isDocument(soFar()) ? { document: soFar() } : { chunks: resumed(soFar(), chunks) };
}

/** A broken document is one all the same; but where the second line is JSON by itself, only the first is broken. */
function isDocument(bytes) {
  const [first, second] = wholeLines(bytes, bytes.length);
  if (first === undefined || second === undefined) return first !== undefined;
  return !isRecord(first) && (isJsonDocument(bytes) || !isRecord(second));
}

/** The first two lines that are not blank, of those that end before `end`. */
function wholeLines(bytes, end = bytes.lastIndexOf(NEW_LINE)) {
  const found = [];
  for (let start = 0; start < end && found.length < 2;) {
    const newLine = bytes.indexOf(NEW_LINE, start);
    const stop = newLine < 0 ? end : newLine;
    if (!isBlank(bytes.subarray(start, stop))) found.push(`${bytes.subarray(start, stop)}`);
    start = stop + 1;
  }
  return found;
}

/** Whether a line is a JSON object by itself: orders and responses are objects. */
function isRecord(line) {
  return line !== undefined && /^\s*\{/.test(line) && isJson(line);
}

function isJsonDocument(bytes) {
  return isUtf8(bytes) && isJson(`${bytes}`);
}

function withoutMark(bytes) {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

async function* resumed(read, chunks) {
  try {
    if (read.length > 0) yield read;
    yield* chunks;
  } finally {
    // Whoever stops early may not have come to them; a pipe that stays open would keep the command from ending.
    await chunks.return();
  }
}

function* documentBlocks(name, bytes) {
  const isArray = /^\s*\[/.test(`${bytes.subarray(0, 1000)}`) && isJsonDocument(bytes);
  if (!isArray) return yield [{ bytes, place: name, isWhole: true }];
  const items = jsonParts(`${bytes}`).map(([, text], index) => ({
    bytes: Buffer.from(text),
    place: `${name}, item ${index + 1}`,
  }));
  for (let start = 0; start < items.length; start += ITEMS_PER_BLOCK) yield items.slice(start, start + ITEMS_PER_BLOCK);
}

async function* lineBlocks(name, chunks, mostBytes) {
  const line = new Line(mostBytes);
  let number = 0;
  const finished = () => {
    number += 1;
    const bytes = line.take();
    return isBlank(bytes) ? [] : [{ bytes, place: `${name}:${number}` }];
  };
  for await (const chunk of chunks) {
    const block = [];
    let start = 0;
    for (let end; (end = chunk.indexOf(NEW_LINE, start)) >= 0; start = end + 1) {
      line.add(chunk.subarray(start, end));
      block.push(...finished());
    }
    line.add(chunk.subarray(start));
    if (block.length > 0) yield block;
  }
  const last = finished();
  if (last.length > 0) yield last;
}

/** A line as its pieces come. */
class Line {
  #room;
  #mostBytes;
  #pieces = [];

  constructor(mostBytes) {
    this.#mostBytes = mostBytes;
    this.#room = mostBytes + 1;
  }

  add(piece) {
    const kept = piece.subarray(0, this.#room);
    this.#room -= kept.length;
    if (kept.length > 0) this.#pieces.push(kept);
  }

  take() {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#room = this.#mostBytes + 1;
    return bytes;
  }
}

function isBlank(bytes) {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
