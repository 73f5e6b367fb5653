// Reads files of rows: CSV with a line of column names, or NDJSON.
import { constants, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";
import { parseTree } from "jsonc-parser";
import { some } from "./count.js";
import { encodingOf, linesOf, textsOf } from "./encoding.js";
import { Fault, WrongUsage } from "./fault.js";
import { quoted, resembled, shown } from "./names.js";

/**
 * A row: where it stands, and each asked column as JSON text, which keeps every digit of a number. undefined: the row
 * has no value there. What cannot be read as a row has a `fault` in place of values.
 *
 * @typedef {{ line: number, values: (string | undefined)[], fault?: undefined } | { line: number, fault: string }} Row
 */

/**
 * How a file is read.
 *
 * @typedef {object} Reading
 * @property {{ name: string, isRequired: boolean, isFlag: boolean }[]} columns
 * @property {Map<string, string>} [map] what the file calls a column, where that is another name
 * @property {string[]} [ignore] names that may stand in the file although they resemble a column's
 * @property {(values: (string | undefined)[]) => boolean} isRow whether these look like the values of a row
 * @property {boolean} [lineBreaks] a cell may hold a line that is a row
 * @property {(bytes: number) => void} [onBytes] told how much has been read
 */

/**
 * Opens a file of rows. Who does not read it closes its handle.
 * @param {string} file
 * @returns {Promise<{ file: string, handle: import("node:fs/promises").FileHandle, encoding: string, start: string }>}
 */
export async function openRows(file) {
  const handle = await openFile(file);
  try {
    return { file, handle, ...(await startOf(file, handle)) };
  } catch (error) {
    await handle.close();
    unreadable(file, error);
  }
}

/**
 * Opens a file that is read from its start more than once: a pipe cannot go back to it.
 * @param {string} file
 */
export async function openFile(file) {
  // To open a pipe must not wait for who writes to it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => unreadable(file, error));
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Fault(`cannot read ${file}: expected a file`);
}

/**
 * Reads the rows of a file.
 *
 * @param {Awaited<ReturnType<typeof openRows>>} opened
 * @param {Reading} reading
 * @returns {{ rows: AsyncIterable<Row>, seen: { lines: number, ignored: string[] } }} `seen` is complete once all rows are read
 */
export function readRows({ file, handle, encoding, start }, reading) {
  const { columns, map = new Map(), onBytes = () => {} } = reading;
  const stream = handle.createReadStream({ start: 0, highWaterMark: 2 ** 17 });
  const seen = { lines: 0, ignored: [] };
  const texts = textsOf(file, encoding, counted(stream, onBytes));
  const task = { ...reading, file, start, stream, texts, seen, titles: columns.map(({ name }) => map.get(name) ?? name) };
  return { rows: readable(task, start.trimStart().startsWith("{") ? ndjsonRows(task) : csvRows(task)), seen };
}

async function* counted(chunks, onBytes) {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* readable({ file, stream }, rows) {
  try {
    yield* rows;
  } catch (error) {
    unreadable(file, error);
  } finally {
    stream.destroy();
  }
}

function unreadable(file, error) {
  throw error instanceof Fault ? error : new Fault(`cannot read ${file}: ${error.message}`);
}

/** The encoding, and the first characters without a byte order mark. */
async function startOf(file, handle) {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4096), position: 0 });
  const bytes = buffer.subarray(0, bytesRead);
  const encoding = encodingOf(file, bytes);
  return { encoding, start: new TextDecoder(encoding).decode(bytes) };
}

// Names of columns

/**
 * The faults of names that are no column's and resemble one, which would lose its values; `seen` gets those that are ignored.
 * @param {Map<string, number>} found the names of the file, with the lines where they stand first
 */
function* nameFaults(found, { titles, ignore = [], seen }) {
  for (const [name, line] of found) {
    if (titles.includes(name)) continue;
    const title = ignore.includes(name) ? undefined : resembled(name, titles, found);
    if (title === undefined) seen.ignored.push(name);
    else yield { line, fault: `expected the column ${title}, got ${quoted(name)}: rename it; --ignore passes it by` };
  }
}

/** The command line names only what is there. */
function refuseMissing(names, { file, columns, map = new Map(), titles }) {
  const got = `${file} has ${some(names.map(shown))}`;
  for (const [index, { name }] of columns.entries()) {
    if (map.has(name) && !names.includes(titles[index]))
      throw new WrongUsage(`--map ${name}=${shown(titles[index])}: expected the name of a column: ${got}`);
  }
}

// CSV

/** Spreadsheets name the separator in a line above the columns. */
const SEPARATOR_LINE = /^sep=([^\r\n"])(?=\r|\n|$)/i;

/** Spreadsheets save "Unicode Text" with tabs. */
const TABS = /^[^\r\n,]*\t[^\r\n,]*(?:[\r\n]|$)/;

async function* csvRows(task) {
  const { file, start, texts, columns, lineBreaks, seen } = task;
  if (start.trimStart().startsWith("[")) throw new Fault(`${file}:1: expected CSV, or one JSON object a line, got a JSON array`);
  const named = SEPARATOR_LINE.exec(start)?.[1];
  const separator = named ?? (TABS.test(start) ? "\t" : ",");
  const parser = parse({
    delimiter: separator,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true, // a row of another length is reported, and the rest is read
    relax_quotes: true, // names such as 5" pipe; a quote that breaks a quoted cell is reported
    raw: true,
  });
  const input = Readable.from(texts);
  input.on("error", (error) => parser.destroy(error));
  const rightQuotes = quotesOf(separator);
  let places;
  let width;
  let line = 1;
  for await (const { record: cells, raw } of endingWithFault(input.pipe(parser))) {
    if (!cells) {
      yield { line, fault: "expected a closing quote, got the end of the file" };
      break;
    }
    const first = line;
    line += raw.includes('"') ? lineBreaksIn(raw) : 1;
    seen.lines = line - 1;
    if (raw.includes('"') && !rightQuotes.test(raw)) {
      yield { line: first, fault: 'expected a quote inside a quoted cell to be doubled, as in "TV 55""": nothing behind it was read' };
      break;
    }
    if (first === 1 && named !== undefined) continue;
    if (cells.every((cell) => cell.trim() === "")) continue; // spreadsheets begin and end with such rows
    if (!places) {
      places = placesOf(cells, first, task);
      width = cells.length;
      if (yield* isWrongHeader(cells, first, task)) return;
      continue;
    }
    const inner = line - first > 1 && !lineBreaks ? rowInside(raw, cells, { ...task, separator, width, places }) : -1;
    if (inner >= 0)
      yield {
        line: first,
        fault: `expected a closing quote, got line ${first + inner}, which is a row, inside a cell; --line-breaks allows it`,
      };
    else if (cells.length === width) yield { line: first, values: valuesOf(cells, places, columns) };
    else yield { line: first, fault: `expected ${width} columns, got ${cells.length}` };
  }
  if (!places) throw new Fault(`${file}:1: expected a line of column names, got an empty file`);
}

const valuesOf = (cells, places, columns) =>
  places.map((place, index) => (place < 0 ? undefined : jsonOfCell(cells[place], columns[index])));

/** As editors count them. */
const lineBreaksIn = (raw) => raw.match(/\r\n?|\n/g)?.length ?? 1;

/** What RFC 4180 allows, and a quote inside an unquoted cell. */
function quotesOf(separator) {
  const mark = `\\u{${separator.codePointAt(0).toString(16)}}`;
  const cell = `(?:"[^"]*(?:""[^"]*)*"|(?!")[^${mark}\\r\\n]+|)`;
  return new RegExp(`^${cell}(?:${mark}${cell})*[\\r\\n]*$`, "u");
}

/** The first of a row's lines that is a row of its own, because a quote is not closed; -1: none is. */
function rowInside(raw, cells, { separator, width, places, columns, isRow }) {
  const isOwn = (line) => {
    const found = cellsOf(line, separator);
    return found.length >= width && isRow(valuesOf(found, places, columns));
  };
  // The first line is one if its key stands behind the line break.
  const isSplitBeforeKey = cells.slice(0, places[0]).some((cell) => /[\r\n]/.test(cell));
  return raw.split(/\r\n?|\n/).findIndex((line, index) => (index > 0 || isSplitBeforeKey) && isOwn(line));
}

function cellsOf(line, delimiter) {
  try {
    return parseAtOnce(line, { delimiter, relax_quotes: true })[0] ?? [];
  } catch {
    return line.split(delimiter); // it has a single quote
  }
}

/** Yields what is wrong with the names. Returns whether rows cannot be read by them. */
function* isWrongHeader(header, line, task) {
  refuseMissing(header, task);
  const faults = [...nameFaults(new Map(header.map((name) => [name, line])), task)];
  yield* faults;
  const missing = missingIn(header, task);
  // A name that resembles the missing one has been told.
  if (missing !== undefined && faults.length === 0) throw new Fault(`${task.file}:${line}: ${missing}`);
  return missing !== undefined;
}

/** Where each column stands; -1: nowhere. */
function placesOf(header, line, { file, titles }) {
  const twice = titles.find((title) => header.indexOf(title) !== header.lastIndexOf(title));
  if (twice !== undefined) throw new Fault(`${file}:${line}: ${twice}: expected one column of this name, got two`);
  return titles.map((title) => header.indexOf(title));
}

/** What is wrong with a header that lacks a column. */
function missingIn(header, { columns, titles }) {
  const missing = columns.findIndex(({ isRequired }, index) => isRequired && !header.includes(titles[index]));
  if (missing < 0) return undefined;
  const [{ name }, title] = [columns[missing], titles[missing]];
  const got = `"${some(header.map(shown)).slice(0, MOST_SHOWN)}"`;
  if (header.some((cell) => NUMBER.test(cell))) return `expected a line of column names, got a row: ${got}`;
  const isOtherFormat = header.length === 1 && /[;\t]|^PK/.test(header[0]);
  const advice = isOtherFormat ? "save it as CSV with commas" : `--map ${name}=… says which column it is`;
  return `${title}: expected a column of this name, got ${got}: ${advice}`;
}

const MOST_SHOWN = 200;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What a cell says, as JSON: a number, true or false, or else a text. */
function jsonOfCell(cell, { isFlag }) {
  if (cell === "") return undefined;
  const word = isFlag ? cell.toLowerCase() : cell; // spreadsheets write TRUE
  return NUMBER.test(cell) || word === "true" || word === "false" ? word : JSON.stringify(cell);
}

/** In place of the error for a quote that is never closed, a last row without cells. */
async function* endingWithFault(parser) {
  try {
    yield* parser;
  } catch (error) {
    if (error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    yield {};
  }
}

// NDJSON

async function* ndjsonRows(task) {
  const { texts, titles, seen } = task;
  const found = new Map();
  for await (const json of linesOf(texts)) {
    seen.lines += 1;
    const line = seen.lines;
    if (json.trim() === "") continue;
    if (json.trim() === "{") {
      yield { line, fault: "expected one JSON object a line, got one over many lines" };
      break; // each of them would be a fault
    }
    const { members, fault } = membersOf(json);
    if (!members) {
      yield { line, fault };
      continue;
    }
    for (const name of members.keys()) if (!found.has(name)) found.set(name, line);
    yield { line, values: titles.map((title) => members.get(title)) };
  }
  if (found.size === 0) return;
  refuseMissing([...found.keys()], task);
  yield* nameFaults(found, task);
}

/** The JSON text of each member that is not null. */
function membersOf(json) {
  const errors = [];
  const tree = parseTree(json, errors, { disallowComments: true });
  if (errors.length > 0 || tree?.type !== "object")
    return { fault: `expected a JSON object${/,\s*$/.test(json) ? " without a comma behind it" : ""}` };
  const members = new Map();
  for (const {
    children: [{ value: name }, { offset, length, type }],
  } of tree.children) {
    if (members.has(name)) return { fault: `${quoted(name)}: expected each name once` };
    members.set(name, type === "null" ? undefined : json.slice(offset, offset + length));
  }
  return { members };
}
