// What a version is built from: the rows of its files, checked and sorted.
import { readFile } from "node:fs/promises";
import { some } from "./count.js";
import { Fault } from "./fault.js";
import { keyColumns, keyOf, priceColumns, recordOf } from "./price-row.js";
import { openRows, readRows, shown } from "./rows.js";
import { Sorter } from "./sorter.js";

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
 */

/**
 * Opens all files of a build before any is read: one that is not there is named at once, not after minutes.
 * @param {{ prices?: string, remove?: string, zones?: string }} options the files
 * @returns {Promise<{ rows: object[], zonesText?: string, close(): Promise<unknown> }>}
 */
export async function openFiles({ prices, remove, zones }) {
  const rows = [];
  const close = () => Promise.all(rows.map(({ opened }) => opened.handle.close()));
  try {
    if (prices !== undefined) rows.push({ opened: await openRows(prices), name: prices, columns: priceColumns, recordOf });
    if (remove !== undefined) rows.push({ opened: await openRows(remove), name: remove, columns: keyColumns, recordOf: () => REMOVAL });
    return { rows, zonesText: zones === undefined ? undefined : await textOf(zones), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const textOf = (file) =>
  readFile(file, "utf8").catch((error) => {
    throw new Fault(`cannot read ${file}: ${error.message}`);
  });

/**
 * Reads all rows and checks each.
 * @param {string} folder for the sorter's files
 * @param {object[]} files of rows, as `openFiles` gives them
 * @param {Map<string, string> | undefined} map what they call the columns
 * @param {Report} report
 * @returns {Promise<Input>}
 */
export async function readInput(folder, files, map, report) {
  const input = { sorter: new Sorter(folder), rows: 0 };
  for (const [index, file] of files.entries()) await readFileOfRows({ ...file, index, map }, input, report);
  return input;
}

const REMOVAL = { record: "", faults: [] };

async function readFileOfRows(file, input, report) {
  const { size } = await file.opened.handle.stat();
  const bar = report.progress(`Reading ${file.name}`, size, (bytes) => `${Math.round(bytes / 1e6)} MB`);
  let bytesRead = 0;
  const fault = (line, text) => {
    bar.clear();
    report.fault(`${file.name}:${line}: ${text}`);
  };
  try {
    const { rows, ignored } = readRows(file.opened, file.columns, file.map, (bytes) => bar.update((bytesRead += bytes)));
    let isEmpty = true;
    for await (const row of rows) {
      isEmpty = false;
      input.rows += 1;
      const waiting = takeRow(file, row, input, fault);
      if (waiting) await waiting;
    }
    if (isEmpty) fault(1, "expected at least one row");
    if (ignored.length > 0) report.notice(`${file.name}: ignored columns: ${some(ignored.map(shown))}`);
  } finally {
    bar.stop();
  }
}

/** A row with a fault is sorted too, if it has a key: another row may repeat it. */
function takeRow({ index, recordOf }, { line, values, fault: broken }, { sorter }, fault) {
  if (broken !== undefined) return fault(line, broken);
  const { cprcode, branchId, faults } = keyOf(values);
  const { record, faults: ofRecord } = recordOf(values);
  for (const text of faults) fault(line, text);
  for (const text of ofRecord) fault(line, text);
  if (faults.length > 0) return undefined;
  return sorter.add({ cprcode, branchId, file: index, line, record: ofRecord.length === 0 ? record : "" });
}

/**
 * Passes over all products, and reports each row whose key an earlier row has, in the order of the rows.
 * @param {Input} input
 * @param {object[]} files
 * @param {Report} report
 * @param {(product: import("./sorter.js").Product) => void} take
 */
export async function passOver({ sorter }, files, report, take) {
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

function repeatedIn({ rows }) {
  const repeated = [];
  const first = new Map();
  for (const row of rows) {
    const earlier = first.get(row.branchId);
    if (earlier) repeated.push({ ...row, earlier });
    else first.set(row.branchId, row);
  }
  return repeated;
}
