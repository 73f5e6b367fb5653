// Reads files of rows: CSV with a line of column names, or NDJSON.
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import { parseTree } from "jsonc-parser";
import { some } from "./count.js";
import { Fault } from "./fault.js";

/**
 * A row: where it stands, and each asked column as JSON text, which keeps every digit of a number. undefined: the row
 * has no value there. A row that cannot be read at all has a `fault` in place of values.
 *
 * @typedef {{ line: number, values: (string | undefined)[], fault?: undefined } | { line: number, fault: string }} Row
 */

/**
 * Opens a file of rows. Who does not read it closes its handle.
 * @param {string} file
 * @returns {Promise<{ file: string, handle: import("node:fs/promises").FileHandle, isNdjson: boolean }>}
 */
export async function openRows(file) {
  const handle = await open(file).catch((error) => unreadable(file, error));
  const first = await firstCharacter(handle).catch(async (error) => {
    await handle.close();
    unreadable(file, error);
  });
  return { file, handle, isNdjson: first === "{" };
}

/**
 * Reads the rows of a file.
 *
 * @param {Awaited<ReturnType<typeof openRows>>} opened
 * @param {{ name: string, isRequired: boolean }[]} columns
 * @param {Map<string, string>} [names] what the file calls a column, where that is another name
 * @param {(bytes: number) => void} [onBytes] told how much has been read
 * @returns {{ rows: AsyncIterable<Row>, ignored: string[] }} `ignored` is complete once a row was read
 */
export function readRows({ file, handle, isNdjson }, columns, names = new Map(), onBytes = () => {}) {
  const stream = handle.createReadStream({ start: 0, highWaterMark: 2 ** 17 });
  stream.on("data", (chunk) => onBytes(chunk.length));
  const titles = columns.map(({ name }) => names.get(name) ?? name);
  const ignored = [];
  const rows = isNdjson ? ndjsonRows(stream, titles, ignored) : csvRows(file, stream, columns, titles, ignored);
  return { rows: readable(file, stream, rows), ignored };
}

async function* readable(file, stream, rows) {
  try {
    yield* rows;
  } catch (error) {
    unreadable(file, error);
  } finally {
    stream.destroy();
  }
}

/** A name from a file, for a terminal: control characters are escaped. */
export const shown = (name) => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);

function unreadable(file, error) {
  throw error instanceof Fault ? error : new Fault(`cannot read ${file}: ${error.message}`);
}

/** The first character that is neither a byte order mark nor white space: it tells NDJSON from CSV. */
async function firstCharacter(handle) {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4096), position: 0 });
  return buffer.toString("utf8", 0, bytesRead).replace(/^\ufeff?\s*/, "")[0];
}

// CSV

async function* csvRows(file, stream, columns, titles, ignored) {
  const parser = parse({
    bom: true,
    relax_column_count: true, // a row of another length is reported, and the rest is read
    relax_quotes: true, // names such as 5" pipe; in a price it is no number
    on_record: (cells, { lines }) => ({ cells, lines }),
  });
  stream.on("error", (error) => parser.destroy(error));
  let places;
  let width;
  let lastLine = 0;
  for await (const { cells, lines } of endingWithFault(stream.pipe(parser))) {
    if (!cells) {
      yield { line: lastLine + 1, fault: "expected a closing quote, got the end of the file" };
      break;
    }
    const line = lastLine + 1; // where the row begins: a quoted field may hold line breaks
    lastLine = lines;
    if (!places) {
      places = placesOf(file, cells, columns, titles);
      ignored.push(...cells.filter((name) => !titles.includes(name)));
      width = cells.length;
    } else if (cells.length === width) {
      yield { line, values: places.map((place) => (place < 0 ? undefined : jsonOfCell(cells[place]))) };
    } else if (cells.length !== 1 || cells[0] !== "") {
      yield { line, fault: `expected ${width} columns, got ${cells.length}` };
    }
  }
  if (!places) throw new Fault(`${file}:1: expected a line of column names, got an empty file`);
}

/** Where each column stands; -1: nowhere. */
function placesOf(file, header, columns, titles) {
  const twice = titles.find((title) => header.indexOf(title) !== header.lastIndexOf(title));
  if (twice !== undefined) throw new Fault(`${file}:1: ${twice}: expected one column of this name, got two`);
  const places = titles.map((title) => header.indexOf(title));
  const missing = columns.findIndex(({ isRequired }, index) => isRequired && places[index] < 0);
  if (missing < 0) return places;
  const [{ name }, title] = [columns[missing], titles[missing]];
  const isOtherFormat = header.length === 1 && /[;\t]|^PK/.test(header[0]);
  const advice = isOtherFormat ? "save it as CSV with commas" : `--map ${name}=… says which column it is`;
  throw new Fault(`${file}:1: ${title}: expected a column of this name, got "${some(header.map(shown)).slice(0, MOST_SHOWN)}": ${advice}`);
}

const MOST_SHOWN = 200;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What a cell says, as JSON: a number, true or false, or else a text. */
function jsonOfCell(cell) {
  if (cell === "") return undefined;
  return NUMBER.test(cell) || cell === "true" || cell === "false" ? cell : JSON.stringify(cell);
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

async function* ndjsonRows(stream, titles, ignored) {
  const known = new Set(titles);
  let line = 0;
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
    line += 1;
    const json = line === 1 ? text.replace(/^\ufeff/, "") : text;
    if (json.trim() === "") continue;
    const members = membersOf(json);
    if (!members) {
      yield { line, fault: "expected a JSON object" };
      continue;
    }
    for (const name of members.keys()) {
      if (known.has(name)) continue;
      known.add(name);
      ignored.push(name);
    }
    yield { line, values: titles.map((title) => members.get(title)) };
  }
}

/** The JSON text of each member that is not null. Undefined: the text is no JSON object. */
function membersOf(json) {
  const errors = [];
  const tree = parseTree(json, errors, { disallowComments: true });
  if (errors.length > 0 || tree?.type !== "object") return undefined;
  const members = tree.children.map(({ children: [name, { offset, length, type }] }) => [
    name.value,
    type === "null" ? undefined : json.slice(offset, offset + length),
  ]);
  return new Map(members);
}
