// Makes a version out of files.
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { checkZones } from "order-cost/data";
import { FORMAT, hashOf, shardOf } from "../src/catalogue/format.js";
import { idOf } from "../src/catalogue/manifest.js";
import { branchKey, shardKey, zonesKey } from "../src/keys.js";
import { some } from "./count.js";
import { Fault } from "./fault.js";
import { openFiles, readInput } from "./input.js";
import { BranchShards, writeText } from "./shards.js";
import { MANIFEST_FILE, fileOf, readCurrent, readManifest, readTexts, withLists } from "./version.js";

/** A larger manifest gains a level: the list of a branch's shards becomes a text of its own. */
const MOST_MANIFEST_BYTES = 262_144;

/** KV stores no larger value. */
const MOST_VALUE_BYTES = 25 * 2 ** 20;

/** A store hands out this many keys at once. */
const KEYS_AT_ONCE = 100;

/**
 * @typedef {object} BuildOptions
 * @property {string} [prices] the file of rows
 * @property {string} [remove] the file of keys whose records go
 * @property {string} [zones] the GeoJSON file
 * @property {boolean} [noZones] the version has none
 * @property {boolean} [onto] keeps what is in use, but for the rows of the files
 * @property {string} out the folder
 * @property {Map<string, string>} [map] what the files call the columns
 * @property {number} [shardBytes] other than the chosen size, to measure it
 */

/**
 * Builds a version. Writes nothing if anything has a fault.
 *
 * @param {BuildOptions} options
 * @param {() => Promise<import("./version.js").Texts>} openStore called only if something of what is in use stays
 * @param {import("./input.js").Report} report
 * @returns {Promise<import("../src/catalogue/format.js").Manifest | undefined>} undefined: the report has the faults
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

async function buildOf(files, out, options, openStore, report) {
  await mkdir(dirname(out), { recursive: true });
  const folder = await mkdtemp(`${out}.building-`); // its own, because another build may run
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", clean); // also by a signal, see main.js
  try {
    const manifest = await buildIn(folder, files, options, openStore, report);
    if (!manifest) return undefined;
    await rm(join(folder, WORK), { recursive: true, force: true });
    await refuseOther(out);
    await rm(out, { recursive: true, force: true });
    await rename(folder, out);
    return manifest;
  } finally {
    clean();
    process.off("exit", clean);
  }
}

/** The folder of what only the build itself needs. */
const WORK = "work";

/** Only the folder of an earlier build is replaced. */
async function refuseOther(out) {
  const names = await readdir(out).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new Fault(`cannot write to ${out}: ${error.message}`);
  });
  const isBuilt = names.includes(MANIFEST_FILE) && names.every((name) => BUILT.includes(name));
  const isOurs = isBuilt && (await readManifest(out).then(() => true, () => false));
  if (names.length > 0 && !isOurs) {
    throw new Fault(`${out} holds other files: expected a new folder, or that of an earlier build`);
  }
}

const BUILT = [MANIFEST_FILE, "shard", "zones", "branch"];

async function buildIn(folder, files, options, openStore, report) {
  let isRight = true;
  const fault = (text) => {
    isRight = false;
    report.fault(text);
  };
  const keepsZones = options.zones === undefined && !options.noZones;
  const store = options.onto || keepsZones ? await openStore() : undefined;
  const current = store && (await readCurrent(store));
  if (options.onto && !current) throw new Fault("nothing is in use yet: build without --onto current");
  const base = new Base(options.onto ? await withLists(current, store) : undefined);

  const zones = await zonesOf(options, files.zonesText, current, fault);
  const input = await readInput(join(folder, WORK, "rows"), files.rows, options.map, { ...report, fault }, base.touch);
  if (!isRight) return undefined;

  const writers = new Map();
  for (const [branchId, bytes] of input.bytes) writers.set(branchId, new BranchShards(folder, bytes, base.branch(branchId), options.shardBytes));
  await base.fetch(join(folder, WORK, "base"), writers, store, report);
  const branches = await writeBranches(writers, input, base, report);
  if (zones.text !== undefined) await writeText(folder, zonesKey(zones.hash), zones.text);
  const parts = { onto: base.id, zones: zones.hash, zonesFrom: zones.from, branches };
  return writeManifest(folder, await withinLimit(folder, parts));
}

/** The version that a build is made onto; it may have none. */
class Base {
  #version;
  /** The hashes of the shards in which rows lie. */
  #touched = new Set();
  #folder;

  constructor(version) {
    this.#version = version;
    this.id = version?.id ?? null;
    this.branchIds = [...(version?.lists.keys() ?? [])];
  }

  touch = (branchId, cprcode) => {
    const hashes = this.#version?.lists.get(branchId);
    const hash = hashes?.[shardOf(cprcode, hashes.length)];
    if (hash) this.#touched.add(hash);
  };

  /** @returns {import("./shards.js").BaseBranch | undefined} */
  branch(branchId) {
    const hashes = this.#version?.lists.get(branchId);
    return hashes && { ...this.#version.branches[branchId], hashes, read: (hash) => readFile(this.#file(hash), "utf8") };
  }

  /** What a version says of a branch that stays as it is. */
  kept(branchId) {
    const { records, bytes, shardCount } = this.#version.branches[branchId];
    return { records, bytes, shardCount, shards: this.#version.lists.get(branchId) };
  }

  /** Fetches the shards that change, many at once: the store of an account takes a second or two for each call. */
  async fetch(folder, writers, store, report) {
    this.#folder = folder;
    for (const [branchId, { isSplit }] of writers) {
      for (const hash of isSplit ? this.#version.lists.get(branchId) : []) if (hash !== "") this.#touched.add(hash);
    }
    const keys = [...this.#touched].map(shardKey);
    const bar = report.progress("Fetching what is in use", keys.length);
    for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
      const batch = keys.slice(start, start + KEYS_AT_ONCE);
      for (const [key, text] of await readTexts(store, batch)) await writeText(folder, key, text);
      bar.update(start + batch.length);
    }
    bar.stop();
  }

  #file = (hash) => fileOf(this.#folder, shardKey(hash));
}

async function writeBranches(writers, { sorter, rows }, base, report) {
  const bar = report.progress("Writing shards", rows);
  let done = 0;
  for await (const bucket of sorter.buckets()) {
    for (const [branchId, ofBranch] of byBranch(bucket)) await writers.get(branchId).take(ofBranch);
    bar.update((done += bucket.length));
  }
  const branches = [];
  const absent = [];
  for (const branchId of [...new Set([...base.branchIds, ...writers.keys()])].sort()) {
    const writer = writers.get(branchId);
    const branch = writer ? await writer.finish() : base.kept(branchId);
    for (const cprcode of writer?.absent ?? []) absent.push(`${cprcode} at ${branchId}`);
    if (branch.records > 0) branches.push([branchId, branch]);
  }
  bar.stop();
  if (absent.length > 0) report.notice(`keys to remove that are not in use: ${some(absent)}`);
  return Object.fromEntries(branches); // a branch may have any name, even "__proto__"
}

function byBranch(rows) {
  const branches = new Map();
  for (const row of rows) {
    if (!branches.has(row.branchId)) branches.set(row.branchId, []);
    branches.get(row.branchId).push(row);
  }
  return branches;
}

/** The zones of the version, and from which version they are taken over. */
async function zonesOf({ zones: file, noZones }, text, current, fault) {
  if (noZones) return { hash: null, from: null };
  if (file === undefined) return { hash: current?.zones ?? null, from: current?.zones ? current.id : null };
  const faults = checkZones(text);
  for (const { path, expected } of faults) fault(`${file}: ${path ? `${path}: ` : ""}expected ${expected}`);
  if (faults.length === 0 && JSON.parse(text).features.length === 0) {
    fault(`${file}: features: expected at least one zone; --no-zones says that the shop has none`);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_VALUE_BYTES) fault(`${file}: expected at most ${MOST_VALUE_BYTES} bytes, got ${bytes}`);
  return { hash: await hashOf(text), from: null, text };
}

async function withinLimit(folder, manifest) {
  if (JSON.stringify(manifest).length <= MOST_MANIFEST_BYTES) return manifest;
  const branches = [];
  for (const [branchId, { shards, ...branch }] of Object.entries(manifest.branches)) {
    const text = JSON.stringify(shards);
    const list = await hashOf(text);
    await writeText(folder, branchKey(list), text);
    branches.push([branchId, { ...branch, list }]);
  }
  return { ...manifest, branches: Object.fromEntries(branches) };
}

async function writeManifest(folder, parts) {
  const manifest = { format: FORMAT, id: await idOf(parts), builtAt: new Date().toISOString(), ...parts };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
  return manifest;
}
