// Reads captures: orders with their facts and with what both sides answered.
import { access, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { POLICY_NAMES } from "../../core/index.js";
import { LIMITS } from "../../order-fields.js";
import { entriesOf } from "../../shared/index.js";
import { readFactsText } from "./facts-file.js";
import { Failure, sentence } from "./failure.js";
import { openInput } from "./input.js";
import { bytesFault, faultSentence } from "./json-fault.js";
import { recordBlocks } from "./records.js";

const ZONES = "zones";

/** What a capture may say of where it was priced, and by what. */
const NOTED = ["route", "dataVersion", "package", "module"];

/** The options that change a price, by the group of `PricerOptions` that they stand in. */
export const OPTIONS = {
  policy: POLICY_NAMES,
  limits: Object.keys(LIMITS),
};

/** The files of captures that files and folders stand for. */
export async function captureFiles(names) {
  const files = (await captureParts(names)).flatMap((part) => part.files);
  if (files.length === 0) throw noCaptures(names);
  return files;
}

/** The same by name. Folders of zones are no captures; one without captures has no files. */
export async function captureParts(names) {
  const parts = [];
  for (const name of names) {
    const found = await stat(name).catch(unreadable(name));
    parts.push({ name, files: found.isDirectory() ? await filesIn(name) : [name] });
  }
  return parts;
}

export const noCaptures = (names) => new Failure(`${names.join(", ")}: no captures in it`);

async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unreadable(folder));
  const files = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || (entry.isDirectory() && entry.name === ZONES)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(path)));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) files.push(path);
    else throw new Failure(`${path}: expected a file of captures`); // a pipe might never end
  }
  return files;
}

const isFile = async (path) => (await stat(path).catch(unreadable(path))).isFile();

const unreadable = (name) => (error) => {
  throw new Failure(`cannot read ${name}: ${sentence(error)}`);
};

/**
 * Yields the captures of a file. `onRead` is told the bytes read so far.
 * @param {string} name
 * @param {string} against
 * @param {(bytes: number) => void} onRead
 */
export async function* capturesOf(name, against, onRead) {
  const input = await openInput(name);
  for await (const records of recordBlocks(input)) {
    for (const record of records) {
      yield readCapture(record, against);
      onRead(input.bytesRead);
    }
  }
}

/**
 * A capture, and what priced it, as far as it says that.
 *
 * @typedef {object} Capture
 * @property {string} requestId
 * @property {string} place for messages
 * @property {string} request its text, as those of `policy` and `limits`
 * @property {string} [policy]
 * @property {string} [limits]
 * @property {import("./facts-file.js").TextFacts} facts
 * @property {string | null} zones their hash
 * @property {string} [route]
 * @property {string} [dataVersion]
 * @property {string} [package]
 * @property {string} [module]
 * @property {number | null | undefined} status of the answer of one side; null: there was none; undefined: it was not captured
 * @property {string} body the text of that answer
 */

/**
 * @param {import("./records.js").InputRecord} record
 * @param {string} against the side
 * @returns {Capture}
 */
function readCapture(record, against) {
  const fault = bytesFault(record.bytes);
  if (fault) throw new Failure(faultSentence(record, fault, "expected a capture as JSON"));
  const text = `${record.bytes}`.trim();
  const refuse = (what) => {
    throw new Failure(`${record.place}: ${what}`);
  };
  if (!text.startsWith("{")) refuse("expected a capture, an object");
  const parts = Object.fromEntries(entriesOf(text));
  for (const name of ["request", "facts", against]) if (!Object.hasOwn(parts, name)) refuse(`${name}: missing in the capture`);
  const zones = JSON.parse(parts.zones ?? "null");
  if (zones !== null && (typeof zones !== "string" || basename(zones) !== zones || zones === "" || zones.startsWith("."))) {
    refuse("zones: expected the name of a file in zones/");
  }
  const facts = readFactsText(parts.facts, `${record.place}: facts: `);
  const requestId = JSON.parse(parts.requestId ?? "null") ?? record.place;
  if (!["string", "number"].includes(typeof requestId)) refuse("requestId: expected a text");
  const { request, policy, limits } = parts;
  for (const [name, known] of Object.entries(OPTIONS)) {
    const unknown = Object.keys(JSON.parse(parts[name] ?? "null") ?? {}).find((key) => !known.includes(key));
    if (unknown !== undefined) refuse(`${name}: ${unknown}: unknown; it has ${known.join(", ")}`);
  }
  const noted = Object.fromEntries(NOTED.map((name) => [name, JSON.parse(parts[name] ?? "null") ?? undefined]));
  for (const name of NOTED) if (!["string", "undefined"].includes(typeof noted[name])) refuse(`${name}: expected a string`);
  const side = sideOf(parts[against]);
  if (!isStatus(side.status)) refuse(`${against}.status: expected a number such as 200, or null`);
  return { requestId: `${requestId}`, place: record.place, request, policy, limits, facts, zones, ...noted, ...side };
}

const isStatus = (status) => status === undefined || status === null || Number.isInteger(status);

/** A side is `{status, body}`, or the body alone. A body that is no JSON is its text; a null status is no answer. */
function sideOf(text) {
  const parts = text.startsWith("{") ? Object.fromEntries(entriesOf(text)) : {};
  const isWrapped = Object.hasOwn(parts, "status") && Object.hasOwn(parts, "body");
  return isWrapped ? { status: JSON.parse(parts.status), body: parts.body } : { status: undefined, body: text };
}

/** The zones stand beside a file of captures, or in a folder above: the decision log has `<day>/<kind>/<slot>`. */
const ABOVE = ["", "..", "../.."];

const zonesFoldersOf = (captureFile) => ABOVE.map((above) => join(dirname(captureFile), above, ZONES));

/** Where the zones of captures may stand. */
export const zonesFolders = (captureFiles) => [...new Set(captureFiles.flatMap(zonesFoldersOf))];

/** The file of the zones of a capture. */
export async function zonesFile(captureFile, hash) {
  const files = zonesFoldersOf(captureFile).map((folder) => join(folder, hash));
  for (const file of files) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new Failure(`${captureFile}: its zones are missing: ${files[0]}`);
}
