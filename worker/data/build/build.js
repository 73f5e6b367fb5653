// Makes a version out of files.
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { branchKey, FORMAT, hashOf, idOf, layerKey, mostBytesOf, zonesKey } from "order-cost/internal";
import { count, Fault, some } from "../../command-line/index.js";
import { FieldCounts, openFiles, passOver, readInput, zonesText } from "../input/index.js";
import {
  cacheBefore,
  keysOf,
  MANIFEST_FILE,
  readCurrent,
  readerOf,
  readManifest,
  readTexts,
  renewCache,
  TEXT_KINDS,
  TextFolder,
} from "../versions/index.js";
import { mergeLayers } from "./merge-layers.js";
import { Change, stacksOf } from "./onto.js";
import { Division } from "./whole.js";

/** A larger manifest gains a level: what it says of a branch becomes a text of its own. */
const MOST_MANIFEST_BYTES = 262_144;

/**
 * @typedef {object} BuildOptions
 * @property {string} [prices] the file of rows
 * @property {string} [remove] the file of keys whose records go
 * @property {string} [zones] the GeoJSON file
 * @property {boolean} [noZones] the version has none
 * @property {boolean} [onto] keeps what is in use, but for the rows of the files
 * @property {string} out the folder
 * @property {Map<string, string>} [map] what the files call the columns
 * @property {string[]} [ignore] names of the files that are not those of columns, although they resemble one
 * @property {string[]} [allowBranch] branches that may look as if a spreadsheet had changed them
 * @property {boolean} [lineBreaks] whether a cell may hold a line that is a row
 * @property {string} [cache] the folder of texts that builds have read or written
 * @property {number} [shardBytes] other than the chosen size, to measure it
 * @property {number} [mostLayers] other than the chosen number, to test it
 *
 * @typedef {object} Built
 * @property {import("order-cost/internal").Manifest} manifest
 * @property {{ texts: number, bytes: number }} written
 * @property {{ bases: number, branches: number }} merged how many had too many layers
 * @property {import("../input/build-input.js").Input["files"]} read
 * @property {string[]} newBranches those that the version it was built onto does not have
 *
 * @typedef {import("../versions/version.js").Current} Current
 * @typedef {Awaited<ReturnType<typeof openFiles>>} Files
 * @typedef {import("../input/build-input.js").Report} Report
 * @typedef {{ hash: string | null, from: string | null, text?: string }} Zones `from`: the version from which they are taken over
 * @typedef {Pick<import("order-cost/internal").Manifest, "changes" | "bases" | "branches">} Content
 *
 * @typedef {object} Task
 * @property {string} folder
 * @property {import("../input/build-input.js").Input} input
 * @property {Zones} zones
 * @property {BuildOptions} options
 * @property {Report} report
 */

/**
 * Builds a version. Writes nothing if anything has a fault.
 *
 * @param {BuildOptions} options
 * @param {() => Promise<import("../versions/version.js").Texts>} openStore called only if something of what is in use stays
 * @param {Report} report
 * @returns {Promise<Built | undefined>} undefined: the report has the faults
 */
export async function build(options, openStore, report) {
  const out = resolve(options.out);
  await refuseOther(out);
  const files = await openFiles(options);
  try {
    return await buildOf(files, out, options, openStore, report);
  } finally {
    await files.close();
  }
}

/**
 * @param {Files} files
 * @param {string} out
 * @param {BuildOptions} options
 * @param {() => Promise<import("../versions/version.js").Texts>} openStore
 * @param {Report} report
 * @returns {Promise<Built | undefined>}
 */
async function buildOf(files, out, options, openStore, report) {
  await mkdir(dirname(out), { recursive: true });
  const folder = await mkdtemp(`${out}.building-`); // its own, because another build may run
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", clean); // also by a signal, see main.js
  try {
    const built = await buildIn(folder, files, options, openStore, report);
    if (!built) return undefined;
    await rm(join(folder, WORK), { recursive: true, force: true });
    await refuseOther(out);
    await rm(out, { recursive: true, force: true });
    await rename(folder, out);
    return built;
  } finally {
    clean();
    process.off("exit", clean);
  }
}

/** The folder of what only the build itself needs. */
const WORK = "work";

/**
 * Only the folder of an earlier build is replaced.
 * @param {string} out
 */
async function refuseOther(out) {
  /** @type {string[]} */
  const names = await readdir(out).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new Fault(`cannot write to ${out}: ${error.message}`);
  });
  const isBuilt = names.includes(MANIFEST_FILE) && names.every((name) => BUILT.includes(name));
  const isOurs =
    isBuilt &&
    (await readManifest(out).then(
      () => true,
      () => false,
    ));
  if (names.length > 0 && !isOurs) {
    throw new Fault(`${out} holds other files: expected a new folder, or that of an earlier build`);
  }
}

const BUILT = [MANIFEST_FILE, ...TEXT_KINDS];

/**
 * @param {string} folder
 * @param {Files} files
 * @param {BuildOptions} options
 * @param {() => Promise<import("../versions/version.js").Texts>} openStore
 * @param {Report} report
 * @returns {Promise<Built | undefined>}
 */
async function buildIn(folder, files, options, openStore, report) {
  let isRight = true;
  /** @param {string} text */
  const fault = (text) => {
    isRight = false;
    report.fault(text);
  };
  const store = options.onto || keepsZones(options) ? await openStore() : undefined;
  const current = store && (await readCurrent(store));
  if (options.onto && !current) throw new Fault("nothing is in use yet: build without --onto current");
  const zones = await zonesOf(options, files.zonesBytes, current, fault);
  const input = await readInput(join(folder, WORK, "rows"), files.rows, options, { ...report, fault });
  const division = options.onto ? undefined : await Division.of(input.sorter);
  const fields = new FieldCounts();
  await passOver(input, files.rows, { fault }, (product) => {
    if (!division) return;
    division.count(product);
    for (const { record } of product.rows) fields.add(record);
  });
  if (!isRight || !zones) return undefined;

  const task = { folder, input, zones, options, report };
  if (division) return { ...(await buildWhole(division, fields, task)), read: input.files };
  // `onto` has both.
  const [base, texts] = [/** @type {Current} */ (current), /** @type {import("../versions/version.js").Texts} */ (store)];
  return { ...(await buildOnto(base, texts, task)), read: input.files };
}

/**
 * Whether the zones in use stay, if there are any.
 * @param {BuildOptions} options
 */
const keepsZones = ({ zones, noZones }) => zones === undefined && !noZones;

/**
 * @param {Division} division
 * @param {FieldCounts} fields
 * @param {Task} task
 */
async function buildWhole(division, fields, { folder, input, zones, options, report }) {
  const texts = new TextFolder(folder);
  const content = await withBar(report, "Writing shards", input.rows, (onDone) =>
    division.write(input.sorter, texts, options.shardBytes, onDone),
  );
  const parts = await partsOf({ onto: null, zones, content }, texts);
  const copies = await copiesOf(parts, readerOf(texts));
  // What is in use may be unknown here. The next build onto it reads again what is not in the cache.
  const needed = new Set(texts.written.keys());
  return finish(parts, { fields: fields.toJSON() }, copies, {
    folder,
    texts,
    needed,
    options,
    merged: { bases: 0, branches: 0 },
    newBranches: [],
  });
}

/**
 * @param {Current} current
 * @param {import("../versions/version.js").Texts} store
 * @param {Task} task
 */
async function buildOnto(current, store, { folder, input, zones, options, report }) {
  const texts = new TextFolder(folder, options.cache === undefined ? store : cacheBefore(options.cache, store));
  const reader = readerOf(texts);
  const named = await keysOf([current], reader);
  texts.leaveOut(named);
  const change = new Change(await stacksOf(current, reader, texts), current.fields, reader, texts, join(folder, WORK, "changes"));
  await withBar(report, "Comparing with what is in use", input.rows, (onDone) => change.take(input.sorter, onDone));
  if (change.absent.length > 0) report.notice(`keys to remove that are not in use: ${some(change.absent)}`);
  const { poorer, lost, fields, newBranches } = change;
  if (poorer > 0) {
    const who = `${count(poorer, "record")} ${poorer === 1 ? "loses its" : "lose their"}`;
    report.notice(`${who} ${Object.keys(lost.toJSON()).join(", ")}: a row replaces the whole record, and the files do not have that`);
  }
  const content = await change.write(texts, options.shardBytes);
  const merged = await mergeLayers(content, reader, texts, options);
  const parts = await partsOf({ onto: current.id, zones, content }, texts);
  const needed = await keysOf([parts], reader);
  await texts.keepOnly(needed);
  for (const key of named) needed.add(key);
  const counts = { ...(fields && { fields: fields.toJSON() }), lost: lost.toJSON() };
  return finish(parts, counts, await copiesOf(parts, reader), { folder, texts, needed, options, merged, newBranches });
}

/**
 * @template T
 * @param {Report} report
 * @param {string} what
 * @param {number} rows
 * @param {(onDone: (more: number) => void) => Promise<T>} work
 */
async function withBar(report, what, rows, work) {
  const bar = report.progress(what, rows);
  let done = 0;
  try {
    return await work((more) => bar.update((done += more)));
  } finally {
    bar.stop();
  }
}

/**
 * The zones of the version. Undefined: their file has a fault.
 * @param {BuildOptions} options
 * @param {Buffer | undefined} fileBytes
 * @param {Current | undefined} current
 * @param {(text: string) => void} fault
 * @returns {Promise<Zones | undefined>}
 */
async function zonesOf({ zones: file, noZones }, fileBytes, current, fault) {
  if (noZones) return { hash: null, from: null };
  if (file === undefined) return { hash: current?.zones ?? null, from: current?.zones ? current.id : null };
  const text = zonesText(file, /** @type {Buffer} */ (fileBytes), fault);
  if (text === undefined) return undefined; // nothing is written
  const hash = await hashOf(text);
  const [bytes, most] = [Buffer.byteLength(text), mostBytesOf(zonesKey(hash))];
  if (bytes > most) fault(`${file}: expected at most ${most} bytes, got ${bytes}`);
  return { hash, from: null, text };
}

/**
 * What a manifest says but for its name and age.
 * @param {{ onto: string | null, zones: Zones, content: Content }} version
 * @param {TextFolder} texts
 */
async function partsOf({ onto, zones, content: { changes, bases, branches } }, texts) {
  if (zones.text !== undefined) await texts.write(zonesKey, zones.text);
  const parts = { onto, zones: zones.hash, zonesFrom: zones.from, ...(changes && { changes }), bases, branches };
  if (JSON.stringify(parts).length <= MOST_MANIFEST_BYTES) return parts;
  const listed = [];
  for (const [branchId, { records, ...content }] of Object.entries(branches)) {
    listed.push([branchId, { records, list: await texts.write(branchKey, JSON.stringify(content)) }]);
  }
  return { ...parts, branches: Object.fromEntries(listed) };
}

/** The texts of all layers, where the manifest has room for them: then no order waits for one. */
async function copiesOf(parts, reader) {
  const { bases, branches } = parts;
  const hashes = new Set([...Object.values(bases), ...Object.values(branches).map(({ layers = [] }) => layers)].flat());
  const copies = {};
  let room = MOST_MANIFEST_BYTES - JSON.stringify(parts).length;
  for (const hash of hashes) {
    const key = layerKey(hash);
    copies[hash] = (await readTexts(reader, [key])).get(key);
    room -= JSON.stringify(copies[hash]).length + hash.length + 4;
    if (room < 0) return {};
  }
  return { layers: copies };
}

async function finish(parts, counts, copies, { folder, texts, needed, options, merged, newBranches }) {
  const kept = keepsZones(options) ? { keepsZones: true } : {};
  const manifest = { format: FORMAT, id: await idOf(parts), builtAt: new Date().toISOString(), ...parts, ...kept, ...counts, ...copies };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
  if (options.cache !== undefined) await renewCache(options.cache, { from: folder, written: texts.written.keys(), needed });
  let bytes = 0;
  for (const length of texts.written.values()) bytes += length;
  return { manifest, written: { texts: texts.written.size, bytes }, merged, newBranches };
}
