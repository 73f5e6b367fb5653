// Reads files of rows: CSV with a line of column names, or NDJSON.
import { constants, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";
import { entriesOf } from "order-cost/internal";
import { codeOf, Fault, messageOf, some, WrongUsage } from "../../command-line/index.js";
import { encodingOf, linesOf, textsOf } from "./encoding.js";
import { quoted, resembled, shown } from "./names.js";

/**
 * A row: where it stands, and each asked column as JSON text, which keeps every digit of a number. undefined: the row
 * has no value there. What cannot be read as a row has a `fault` in place of values.
 *
 * @typedef {(string | undefined)[]} Values
 * @typedef {{ line: number, values: Values, fault?: undefined } | { line: number, values?: undefined, fault: string }} Row
 */

/**
 * How a file is read.
 *
 * @typedef {object} Reading
 * @property {Column[]} columns
 * @property {Map<string, string>} [map] what the file calls a column, where that is another name
 * @property {string[]} [ignore] names that may stand in the file although they resemble a column's
 * @property {(values: Values) => boolean} isRow whether these look like the values of a row
 * @property {boolean} [lineBreaks] a cell may hold a line that is a row
 * @property {(bytes: number) => void} [onBytes] told how much has been read
 *
 * @typedef {{ name: string, isRequired: boolean, isFlag: boolean }} Column
 * @typedef {{ lines: number, ignored: string[] }} Seen
 *
 * @typedef {object} Opened
 * @property {string} file
 * @property {FileHandle} handle
 * @property {string} encoding as TextDecoder names it
 * @property {string} start its first characters
 *
 * @typedef {object} More
 * @property {import("node:stream").Readable} stream
 * @property {AsyncIterable<string>} texts of the file, in parts
 * @property {Seen} seen
 * @property {string[]} titles what the file calls the columns
 *
 * @typedef {Reading & Pick<Opened, "file" | "start"> & More} Task
 * @typedef {import("node:fs/promises").FileHandle} FileHandle
 */

/**
 * Opens a file of rows. Who does not read it closes its handle.
 * @param {string} file
 * @returns {Promise<Opened>}
 */
export async function openRows(file) {
  const handle = await openFile(file);
  try {
    return { file, handle, ...(await startOf(file, handle)) };
  } catch (error) {
    await handle.close();
    throw unreadable(file, error);
  }
}

/**
 * Opens a file that is read from its start more than once: a pipe cannot go back to it.
 * @param {string} file
 */
export async function openFile(file) {
  // To open a pipe must not wait for who writes to it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
    throw unreadable(file, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Fault(`cannot read ${file}: expected a file`);
}

/**
 * Reads the rows of a file.
 *
 * @param {Opened} opened
 * @param {Reading} reading
 * @returns {{ rows: AsyncIterable<Row>, seen: Seen }} `seen` is complete once all rows are read
 */
export function readRows({ file, handle, encoding, start }, reading) {
  const { columns, map = new Map(), onBytes = () => {} } = reading;
  const stream = handle.createReadStream({ start: 0, highWaterMark: 2 ** 17 });
  /** @type {Seen} */
  const seen = { lines: 0, ignored: [] };
  const texts = textsOf(file, encoding, counted(stream, onBytes));
  /** @type {Task} */
  const task = { ...reading, file, start, stream, texts, seen, titles: columns.map(({ name }) => map.get(name) ?? name) };
  return { rows: readable(task, start.trimStart().startsWith("{") ? ndjsonRows(task) : csvRows(task)), seen };
}

/**
 * @param {AsyncIterable<Buffer>} chunks
 * @param {(bytes: number) => void} onBytes
 */
async function* counted(chunks, onBytes) {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/**
 * @param {Task} task
 * @param {AsyncGenerator<Row>} rows
 */
async function* readable({ file, stream }, rows) {
  try {
    yield* rows;
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    stream.destroy();
  }
}

/**
 * @param {string} file
 * @param {unknown} error
 */
const unreadable = (file, error) => (error instanceof Fault ? error : new Fault(`cannot read ${file}: ${messageOf(error)}`));

/**
 * The encoding, and the first characters without a byte order mark.
 * @param {string} file
 * @param {FileHandle} handle
 */
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
 * @param {Task} task
 * @returns {Generator<Row & { fault: string }>}
 */
function* nameFaults(found, { titles, ignore = [], seen }) {
  for (const [name, line] of found) {
    if (titles.includes(name)) continue;
    const title = ignore.includes(name) ? undefined : resembled(name, titles, found);
    if (title === undefined) seen.ignored.push(name);
    else yield { line, fault: `expected the column ${title}, got ${quoted(name)}: rename it; --ignore passes it by` };
  }
}

/**
 * The command line names only what is there.
 * @param {string[]} names
 * @param {Task} task
 */
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

/**
 * @param {Task} task
 * @returns {AsyncGenerator<Row>}
 */
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
  /** @type {number[] | undefined} */
  let places;
  let width = 0;
  let line = 1;
  for await (const found of endingWithFault(input.pipe(parser))) {
    if (!found) {
      yield { line, fault: "expected a closing quote, got the end of the file" };
      break;
    }
    const { record: cells, raw } = found;
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

/**
 * @param {string[]} cells
 * @param {number[]} places
 * @param {Column[]} columns
 * @returns {Values}
 */
const valuesOf = (cells, places, columns) =>
  places.map((place, index) => (place < 0 ? undefined : jsonOfCell(cells[place], columns[index])));

/**
 * As editors count them.
 * @param {string} raw
 */
const lineBreaksIn = (raw) => raw.match(/\r\n?|\n/g)?.length ?? 1;

/**
 * What RFC 4180 allows, and a quote inside an unquoted cell.
 * @param {string} separator one character
 */
function quotesOf(separator) {
  const mark = `\\u{${separator.charCodeAt(0).toString(16)}}`;
  const cell = `(?:"[^"]*(?:""[^"]*)*"|(?!")[^${mark}\\r\\n]+|)`;
  return new RegExp(`^${cell}(?:${mark}${cell})*[\\r\\n]*$`, "u");
}

/**
 * The first of a row's lines that is a row of its own, because a quote is not closed; -1: none is.
 * @param {string} raw
 * @param {string[]} cells
 * @param {Pick<Task, "columns" | "isRow"> & { separator: string, width: number, places: number[] }} task
 */
function rowInside(raw, cells, { separator, width, places, columns, isRow }) {
  /** @param {string} line */
  const isOwn = (line) => {
    const found = cellsOf(line, separator);
    return found.length >= width && isRow(valuesOf(found, places, columns));
  };
  // The first line is one if its key stands behind the line break.
  const isSplitBeforeKey = cells.slice(0, places[0]).some((cell) => /[\r\n]/.test(cell));
  return raw.split(/\r\n?|\n/).findIndex((line, index) => (index > 0 || isSplitBeforeKey) && isOwn(line));
}

/**
 * @param {string} line
 * @param {string} delimiter
 * @returns {string[]}
 */
function cellsOf(line, delimiter) {
  try {
    return parseAtOnce(line, { delimiter, relax_quotes: true })[0] ?? [];
  } catch {
    return line.split(delimiter); // it has a single quote
  }
}

/**
 * Yields what is wrong with the names. Returns whether rows cannot be read by them.
 * @param {string[]} header
 * @param {number} line
 * @param {Task} task
 * @returns {Generator<Row, boolean>}
 */
function* isWrongHeader(header, line, task) {
  refuseMissing(header, task);
  const faults = [...nameFaults(new Map(header.map((name) => [name, line])), task)];
  yield* faults;
  const missing = missingIn(header, task);
  // A name that resembles the missing one has been told.
  if (missing !== undefined && faults.length === 0) throw new Fault(`${task.file}:${line}: ${missing}`);
  return missing !== undefined;
}

/**
 * Where each column stands; -1: nowhere.
 * @param {string[]} header
 * @param {number} line
 * @param {Task} task
 */
function placesOf(header, line, { file, titles }) {
  const twice = titles.find((title) => header.indexOf(title) !== header.lastIndexOf(title));
  if (twice !== undefined) throw new Fault(`${file}:${line}: ${twice}: expected one column of this name, got two`);
  return titles.map((title) => header.indexOf(title));
}

/**
 * What is wrong with a header that lacks a column.
 * @param {string[]} header
 * @param {Task} task
 */
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

/**
 * What a cell says, as JSON: a number, true or false, or else a text.
 * @param {string} cell
 * @param {Column} column
 */
function jsonOfCell(cell, { isFlag }) {
  if (cell === "") return undefined;
  const word = isFlag ? cell.toLowerCase() : cell; // spreadsheets write TRUE
  return NUMBER.test(cell) || word === "true" || word === "false" ? word : JSON.stringify(cell);
}

/**
 * In place of the error for a quote that is never closed, a last row that is undefined.
 * @param {AsyncIterable<{ record: string[], raw: string }>} parser
 */
async function* endingWithFault(parser) {
  try {
    yield* parser;
  } catch (error) {
    if (codeOf(error) !== "CSV_QUOTE_NOT_CLOSED") throw error;
    yield undefined;
  }
}

// NDJSON

/**
 * @param {Task} task
 * @returns {AsyncGenerator<Row>}
 */
async function* ndjsonRows(task) {
  const { texts, titles, seen } = task;
  /** @type {Map<string, number>} */
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

/**
 * The JSON text of each member that is not null.
 * @param {string} json
 * @returns {{ members: Map<string, string | undefined>, fault?: undefined } | { members?: undefined, fault: string }}
 */
function membersOf(json) {
  if (!isObjectText(json)) return { fault: `expected a JSON object${/,\s*$/.test(json) ? " without a comma behind it" : ""}` };
  /** @type {Map<string, string | undefined>} */
  const members = new Map();
  for (const [name, text] of entriesOf(json)) {
    if (members.has(name)) return { fault: `${quoted(name)}: expected each name once` };
    members.set(name, text === "null" ? undefined : text);
  }
  return { members };
}

/** @param {string} json */
function isObjectText(json) {
  try {
    JSON.parse(json);
    return json.trimStart().startsWith("{");
  } catch {
    return false;
  }
}
