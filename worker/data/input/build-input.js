// What a version is built from: the rows of its files, checked and sorted.
import { readFile } from "node:fs/promises";
import { Fault, some, WrongUsage } from "../../command-line/index.js";
import { Sorter } from "../files/index.js";
import { shown } from "./names.js";
import { isRow, keyColumns, keyOf, priceColumns, recordOf } from "./price-row.js";
import { openRows, readRows } from "./rows.js";
import { Slips } from "./slips.js";

/**
 * @typedef {object} Report
 * @property {(fault: string) => void} fault told each fault as it is found
 * @property {(notice: string) => void} notice
 * @property {(what: string, total: number, shown?: (done: number) => string) => Bar} progress
 * @typedef {{ update(done: number): void, clear(): void, stop(): void }} Bar
 *
 * @typedef {object} Input
 * @property {Sorter} sorter all rows
 * @property {number} rows how many they are
 * @property {{ name: string, lines: number, rows: number }[]} files what was read of each
 * @property {Set<string>} allowed the branches of `allowBranch` that the files have
 *
 * @typedef {object} RowsFile a file that is open
 * @property {import("./rows.js").Opened} opened
 * @property {string} name
 * @property {import("./rows.js").Column[]} columns
 * @property {typeof recordOf} recordOf
 *
 * @typedef {RowsFile & { index: number, map?: Map<string, string>, ignore: string[], allowBranch: string[], lineBreaks: boolean }} Task
 */

/**
 * Opens all files of a build before any is read: one that is not there is named at once, not after minutes.
 * @param {{ prices?: string, remove?: string, zones?: string }} options the files
 * @returns {Promise<{ rows: RowsFile[], zonesBytes?: Buffer, close(): Promise<unknown> }>}
 */
export async function openFiles({ prices, remove, zones }) {
  /** @type {RowsFile[]} */
  const rows = [];
  const close = () => Promise.all(rows.map(({ opened }) => opened.handle.close()));
  try {
    if (prices !== undefined) rows.push({ opened: await openRows(prices), name: prices, columns: priceColumns, recordOf });
    if (remove !== undefined) rows.push({ opened: await openRows(remove), name: remove, columns: keyColumns, recordOf: () => REMOVAL });
    return { rows, zonesBytes: zones === undefined ? undefined : await bytesOf(zones), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param {string} file */
const bytesOf = (file) =>
  readFile(file).catch((error) => {
    throw new Fault(`cannot read ${file}: ${error.message}`);
  });

/**
 * Reads all rows and checks each.
 * @param {string} folder for the sorter's files
 * @param {RowsFile[]} files
 * @param {object} options
 * @param {Map<string, string>} [options.map] what the files call the columns
 * @param {string[]} [options.ignore] names of the files that are not those of columns, although they resemble one
 * @param {string[]} [options.allowBranch] branches that may look as if a spreadsheet had changed them
 * @param {boolean} [options.lineBreaks] whether a cell may hold a line that is a row
 * @param {Report} report
 * @returns {Promise<Input>}
 */
export async function readInput(folder, files, { map, ignore = [], allowBranch = [], lineBreaks = false }, report) {
  /** @type {Input} */
  const input = { sorter: new Sorter(folder), rows: 0, files: [], allowed: new Set() };
  const ignored = new Set();
  for (const [index, file] of files.entries()) {
    for (const name of await readFileOfRows({ ...file, index, map, ignore, allowBranch, lineBreaks }, input, report)) ignored.add(name);
  }
  const absent = ignore.find((name) => !ignored.has(name));
  if (absent !== undefined) throw new WrongUsage(`--ignore ${shown(absent)}: expected a name in the files that is not that of a column`);
  const strange = allowBranch.find((branchId) => !input.allowed.has(branchId));
  if (strange !== undefined) throw new WrongUsage(`--allow-branch ${shown(strange)}: expected a branch of the files`);
  return input;
}

const REMOVAL = { record: "", faults: [] };

/**
 * @param {Task} file
 * @param {Input} input
 * @param {Report} report
 */
async function readFileOfRows(file, input, report) {
  const { size } = await file.opened.handle.stat();
  const bar = report.progress(`Reading ${file.name}`, size, (bytes) => `${Math.round(bytes / 1e6)} MB`);
  let bytesRead = 0;
  /** @type {FaultAt} */
  const fault = (line, text) => {
    bar.clear();
    report.fault(`${file.name}:${line}: ${text}`);
  };
  try {
    const onBytes = (bytes) => bar.update((bytesRead += bytes));
    const { rows, seen } = readRows(file.opened, { ...file, isRow, onBytes });
    let count = 0;
    let isRight = true;
    const slips = new Slips();
    for await (const row of rows) {
      if (row.fault === undefined) count += 1;
      else isRight = false;
      const waiting = takeRow(file, row, input, { fault, slips });
      if (waiting) await waiting;
    }
    if (count === 0 && isRight) fault(1, "expected at least one row");
    if (seen.ignored.length > 0) report.notice(`${file.name}: ignored columns: ${some(seen.ignored.map(shown))}`);
    if (slips.sentences.length > 0) report.notice(`${file.name}: ${slips.sentences.join("; ")}`);
    input.rows += count;
    input.files.push({ name: file.name, lines: seen.lines, rows: count });
    return seen.ignored;
  } finally {
    bar.stop();
  }
}

/** @typedef {(line: number, text: string) => void} FaultAt */

/**
 * A row with a fault is sorted too, if it has a key: another row may repeat it.
 * @param {Task} file
 * @param {import("./rows.js").Row} row
 * @param {Input} input
 * @param {{ fault: FaultAt, slips: Slips }} told
 */
function takeRow({ index, recordOf, allowBranch }, { line, values, fault: broken }, { sorter, allowed }, { fault, slips }) {
  if (values === undefined) return fault(line, broken);
  const { cprcode, branchId, faults } = keyOf(values, allowBranch);
  if (branchId !== undefined && allowBranch.includes(branchId)) allowed.add(branchId);
  const { record, faults: ofRecord } = recordOf(values);
  for (const text of faults) fault(line, text);
  for (const text of ofRecord) fault(line, text);
  if (ofRecord.length === 0) slips.look(record, line);
  if (cprcode === undefined || branchId === undefined || faults.length > 0) return undefined;
  return sorter.add({ cprcode, branchId, file: index, line, record: ofRecord.length === 0 ? record : "" });
}

/**
 * Passes over all products, and reports each row whose key an earlier row has, in the order of the rows.
 * @param {Input} input
 * @param {RowsFile[]} files
 * @param {Pick<Report, "fault">} report
 * @param {(product: import("../files/sorter.js").Product) => void} take
 */
export async function passOver({ sorter }, files, report, take) {
  /** @type {Repeated[]} */
  const repeated = [];
  for await (const { products } of sorter.buckets()) {
    for (const product of products) {
      repeated.push(...repeatedIn(product));
      take(product);
    }
  }
  repeated.sort((left, right) => left.file - right.file || left.line - right.line);
  for (const { cprcode, branchId, file, line, earlier } of repeated) {
    const place = `${files[earlier.file].name}:${earlier.line}`;
    const key = `${cprcode} at branch ${branchId}`;
    report.fault(`${files[file].name}:${line}: cprcode: expected each product once a branch, got ${key} again, as in ${place}`);
  }
}

/** @typedef {import("../files/sorter.js").SortedRow & { earlier: import("../files/sorter.js").SortedRow }} Repeated */

/** @param {import("../files/sorter.js").Product} product */
function repeatedIn({ rows }) {
  /** @type {Repeated[]} */
  const repeated = [];
  /** @type {Map<string, import("../files/sorter.js").SortedRow>} */
  const first = new Map();
  for (const row of rows) {
    const earlier = first.get(row.branchId);
    if (earlier) repeated.push({ ...row, earlier });
    else first.set(row.branchId, row);
  }
  return repeated;
}
