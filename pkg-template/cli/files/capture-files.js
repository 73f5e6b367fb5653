// Reads captures: orders with their facts and with what both sides answered.
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { POLICY_NAMES } from "../../core/index.js";
import { LIMITS } from "../../order-fields.js";
import { entriesOf } from "../../shared/index.js";
import { ZONES } from "./captured-zones.js";
import { readFactsText } from "./facts-file.js";
import { Broken, Failure } from "./failure.js";
import { captureHash } from "./fingerprint.js";
import { openInput, STDIN, shownNames, unreadable } from "./input.js";
import { bytesFault, faultSentence } from "./json-fault.js";
import { recordBlocks } from "./records.js";
import { unpacked } from "./unpacked.js";

/** What a capture may say of where it was priced, and by what. */
const NOTED = ["route", "dataVersion", "package", "module"];

/** The options that change a price, by the group of `PricerOptions` that they stand in. */
export const OPTIONS = {
  policy: POLICY_NAMES,
  limits: Object.keys(LIMITS),
};

/** The files of captures that files and folders stand for, and standard input. */
export async function captureFiles(names) {
  const files = (await captureParts(names)).flatMap((part) => part.files);
  if (files.length === 0) throw noCaptures(names);
  return files;
}

/**
 * The same by name. Folders of zones are no captures; one without captures has no files.
 * @param {string[]} names
 */
export async function captureParts(names) {
  if (names.indexOf(STDIN) !== names.lastIndexOf(STDIN)) throw new Failure("- stands twice: standard input can be read once");
  const parts = [];
  for (const name of names) {
    const isFile = name === STDIN || !(await statOf(name)).isDirectory();
    parts.push({ name, files: isFile ? [name] : await filesIn(name) });
  }
  refuseRepeated(parts.flatMap(({ files }) => files));
  return parts;
}

/** What is named twice, such as a folder and a file in it, would count twice. */
function refuseRepeated(files) {
  const seen = new Set();
  for (const file of files) {
    const path = resolve(file);
    if (seen.has(path)) throw new Failure(`${file} stands twice: its captures would count twice`);
    seen.add(path);
  }
}

/** @param {import("./broken-lines.js").BrokenLines} [broken] the lines that are none */
export const noCaptures = (names, broken) => new Failure(`${shownNames(names)}: no captures in it`, ...(broken?.first ?? []));

async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => unreadable(folder, error));
  const files = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    const found = entry.isSymbolicLink() ? await statOf(path) : entry;
    if (found.isDirectory() && entry.name === ZONES) continue;
    if (entry.isDirectory()) files.push(...(await filesIn(path)));
    else if (found.isFile()) files.push(path);
    else throw new Failure(`${path}: expected a file of captures`); // a pipe might never end
  }
  return files;
}

const statOf = (name) => stat(name).catch((error) => unreadable(name, error));

/**
 * Yields the captures of a file or of standard input, as records.
 * @param {string} name
 * @param {object} options
 * @param {import("../screen/terminal.js").Terminal} options.terminal
 * @param {(bytes: number) => void} options.onRead is told the bytes read so far
 * @param {boolean} [options.skipBroken] lines that are no captures are to be skipped
 */
export async function* captureRecords(name, { terminal, onRead, skipBroken }) {
  const input = unpacked(await openInput(name, terminal));
  for await (const records of recordBlocks(input, { hasBroken: skipBroken })) {
    yield* records;
    onRead(input.bytesRead);
  }
}

/**
 * What `read` reads of a capture. Whatever it refuses is a broken line.
 * @template T
 * @param {() => T} read
 */
export function reading(read) {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure ? new Broken(...error.sentences) : error;
  }
}

/**
 * A capture, and what priced it, as far as it says that.
 *
 * @typedef {object} Capture
 * @property {string} requestId its hash, where it has none
 * @property {string} place for messages
 * @property {string} hash of the whole
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
export const readCapture = (record, against) => reading(() => captureIn(record, against));

/** @returns {Capture} */
function captureIn(record, against) {
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
  const requestId = JSON.parse(parts.requestId ?? "null") ?? captureHash(record.bytes);
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
  return {
    ...{ requestId: `${requestId}`, place: record.place, request, policy, limits, facts, zones, ...noted, ...side },
    get hash() {
      return captureHash(record.bytes); // of few captures
    },
  };
}

const isStatus = (status) => status === undefined || status === null || Number.isInteger(status);

/** A side is `{status, body}`, or the body alone. A body that is no JSON is its text; a null status is no answer. */
function sideOf(text) {
  const parts = text.startsWith("{") ? Object.fromEntries(entriesOf(text)) : {};
  const isWrapped = Object.hasOwn(parts, "status") && Object.hasOwn(parts, "body");
  return isWrapped ? { status: JSON.parse(parts.status), body: parts.body } : { status: undefined, body: text };
}
