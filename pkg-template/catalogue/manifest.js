// The text of a manifest, read and checked: by the Worker and by every command, so that what one takes the other takes.
import { isObject } from "../shared/index.js";
import { FORMAT, hashOf } from "./format.js";
import { isLayerText } from "./layer.js";

/** What is wrong with a manifest: where, and what was expected. */
export class ManifestFault extends Error {
  /**
   * @param {string} message
   * @param {boolean} [isOtherFormat] another version of this code may have written it
   */
  constructor(message, isOtherFormat = false) {
    super(message);
    this.isOtherFormat = isOtherFormat;
  }
}

/**
 * Reads the manifest of a version. Throws a ManifestFault.
 * @param {string} text
 * @returns {Promise<import("./format.js").Manifest>}
 */
export async function readManifest(text) {
  const manifest = parsed(text);
  refuseOtherFormat(manifest?.format);
  check(manifest, "", MANIFEST);
  const checkBranch = manifest.format === 1 ? checkOldBranch : checkLayers(manifest);
  for (const [branchId, branch] of Object.entries(manifest.branches)) checkBranch(branch, `branches[${shown(branchId)}]`);
  for (const [hash, text] of Object.entries(manifest.layers ?? {})) await checkCopy(hash, text);
  const id = await idOf(manifest);
  if (manifest.id !== id) refuse("id", `${id}, the hash of the content`, manifest.id);
  return manifest;
}

/**
 * Reads the value of the key `current`. Throws a ManifestFault.
 * @param {string} text
 * @returns {Promise<import("./format.js").Current>}
 */
export async function readCurrent(text) {
  const current = await readManifest(text);
  checkHistory(current);
  return current;
}

/**
 * What was in use since when, of a value of `current` whose content may have been altered. Undefined: it does not say.
 * @param {string} text
 * @returns {Pick<import("./format.js").Current, "id" | "activatedAt" | "predecessors" | "next" | "history"> | undefined}
 */
export function historyIn(text) {
  const current = parsedOr(undefined, text);
  try {
    checkHistory(current);
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error;
    return undefined;
  }
  const { id, activatedAt, predecessors, next, history } = current;
  return { id, activatedAt, predecessors, ...(next && { next }), ...(history && { history }) };
}

/**
 * The id of a version: a hash, so that equal content has equal ids.
 * @param {Omit<import("./format.js").Manifest, "id" | "builtAt">} content
 */
export async function idOf({ format = FORMAT, onto, zones, zonesFrom, changes, bases, branches }) {
  const content =
    format === 1 ? { format, onto, zones, zonesFrom, branches } : { format, onto, zones, zonesFrom, changes, bases, branches };
  return (await hashOf(JSON.stringify(content))).slice(0, 16);
}

/**
 * What the text under `branch:<hash>` says: the layers of a branch, or, in format 1, its shards. Undefined: the text is
 * neither.
 * @param {string} text
 * @returns {{ layers: string[], base?: string } | string[] | undefined}
 */
export function branchIn(text) {
  const value = parsedOr(undefined, text);
  if (Array.isArray(value)) return isShardList(value, value.length) && SHARD_COUNT.is(value.length) ? value : undefined;
  const isRight = isObject(value) && LAYERS.is(value.layers) && NAME.is(value.base ?? "");
  return isRight ? /** @type {{ layers: string[], base?: string }} */ (value) : undefined;
}

const isShardList = (value, shardCount) =>
  Array.isArray(value) && value.length === shardCount && value.every((hash) => hash === "" || HASH.is(hash));

const NO_JSON = Symbol("no JSON");

function parsed(text) {
  const value = parsedOr(NO_JSON, text);
  if (value === NO_JSON) throw new ManifestFault("expected JSON");
  return value;
}

function parsedOr(otherwise, text) {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function refuseOtherFormat(format) {
  if (format === 1 || format === FORMAT) return;
  throw new ManifestFault(`expected format 1 or ${FORMAT}, got ${shown(format)}`, Number.isInteger(format));
}

const matching = (pattern, expected) => ({ is: (value) => typeof value === "string" && pattern.test(value), expected });
const ID = matching(/^[0-9a-f]{16}$/, "16 hexadecimal digits");
const HASH = matching(/^[0-9a-f]{32}$/, "32 hexadecimal digits");
const TIME = { is: isTime, expected: "a time such as 2026-11-23T08:30:00.000Z" };
const COUNT = { is: (value) => Number.isSafeInteger(value) && value >= 0, expected: "a whole number" };
const SHARD_COUNT = { is: (value) => COUNT.is(value) && Number.isInteger(Math.log2(value)), expected: "a power of two" };
const NAME = { is: (value) => typeof value === "string", expected: "a name" };
const LAYERS = { is: (value) => Array.isArray(value) && value.every(HASH.is), expected: "a list of hashes" };
const LIST = { is: Array.isArray, expected: "a list" };
const OBJECT = { is: isObject, expected: "an object" };
const TRUE = { is: (value) => value === true, expected: "true" };
const orNull = ({ is, expected }) => ({ is: (value) => value === null || is(value), expected: `${expected}, or null` });
const orAbsent = ({ is, expected }) => ({ is: (value) => value === undefined || is(value), expected });

/** `pushedAt` is in `version:<id>`, `startedAt` in `pushing:<id>`. */
const MANIFEST = {
  id: ID,
  builtAt: TIME,
  pushedAt: orAbsent(TIME),
  startedAt: orAbsent(TIME),
  onto: orNull(ID),
  zones: orNull(HASH),
  zonesFrom: orNull(ID),
  keepsZones: orAbsent(TRUE),
  branches: OBJECT,
};
const COUNTS = { is: (value) => isObject(value) && Object.values(value).every(COUNT.is), expected: "an object of whole numbers" };
const OF_LAYERS = { changes: orAbsent(LAYERS), bases: OBJECT, fields: orAbsent(COUNTS), lost: orAbsent(COUNTS), layers: orAbsent(OBJECT) };
const BRANCH = { records: COUNT, list: orAbsent(HASH), layers: orAbsent(LAYERS), base: orAbsent(NAME) };
const OLD_BRANCH = { records: COUNT, bytes: COUNT, shardCount: SHARD_COUNT, list: orAbsent(HASH) };
const HISTORY = { id: ID, activatedAt: TIME, predecessors: LIST, next: orAbsent(OBJECT), history: orAbsent(HASH) };
const PREDECESSOR = { id: ID, from: TIME, to: TIME, rolledBack: orAbsent(TRUE) };
const NEXT = { id: ID, at: TIME };

function check(value, path, fields) {
  if (!isObject(value)) refuse(path, "an object", value);
  for (const [name, { is, expected }] of Object.entries(fields)) {
    if (!is(value[name])) refuse(path === "" ? name : `${path}.${name}`, expected, value[name]);
  }
}

/** The check of a branch of format 2. */
function checkLayers(manifest) {
  check(manifest, "", OF_LAYERS);
  for (const [name, layers] of Object.entries(manifest.bases)) {
    if (!LAYERS.is(layers)) refuse(`bases[${shown(name)}]`, LAYERS.expected, layers);
  }
  return (branch, path) => {
    check(branch, path, BRANCH);
    const { list, layers, base } = branch;
    if (list === undefined ? layers === undefined : layers !== undefined)
      refuse(`${path}.layers`, `${LAYERS.expected}, or list in its place`, layers);
    if (base !== undefined && !Object.hasOwn(manifest.bases, base)) refuse(`${path}.base`, "a name in bases", base);
  };
}

/** The copy of a layer's text. */
async function checkCopy(hash, text) {
  const isOne = typeof text === "string" && isLayerText(text) && (await hashOf(text)) === hash;
  if (!isOne) refuse(`layers[${shown(hash)}]`, "the text that this hash names", text);
}

function checkOldBranch(branch, path) {
  check(branch, path, OLD_BRANCH);
  const { shardCount, shards, list } = branch;
  if (shards === undefined ? list !== undefined : list === undefined && isShardList(shards, shardCount)) return;
  refuse(`${path}.shards`, `a list of ${shardCount} hashes, or list in its place`, shards);
}

/**
 * @param {import("./format.js").Manifest} current
 * @returns {asserts current is import("./format.js").Current}
 */
function checkHistory(current) {
  check(current, "", HISTORY);
  const { predecessors, next } = /** @type {import("./format.js").Current} */ (current);
  for (const [index, predecessor] of predecessors.entries()) check(predecessor, `predecessors[${index}]`, PREDECESSOR);
  if (next !== undefined) check(next, "next", NEXT);
}

function isTime(value) {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

function refuse(path, expected, value) {
  throw new ManifestFault(`${path}: expected ${expected}, got ${shown(value)}`);
}

const MOST_SHOWN = 60;

const shown = (value) => `${JSON.stringify(value)}`.slice(0, MOST_SHOWN);
