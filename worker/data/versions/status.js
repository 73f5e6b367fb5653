// What is in use, what is planned, and what there is to go back to. It lists nothing: a large shop has a million keys.
import { versionKey } from "order-cost/internal";
import { count, Fault, moment } from "../../command-line/index.js";
import { plain } from "./actor.js";
import { chainFrom, historyLines, newestIn } from "./history.js";
import { currentIn, manifestAt, manifestTexts, readCurrentText, recordCount, storedIn } from "./version.js";

/**
 * @typedef {import("./version.js").Current} Current
 * @typedef {import("./history.js").Entry} Entry
 */

/** How many entries of the history are looked at for versions. */
const ENTRIES = 20;

/**
 * @param {import("../store/store.js").Store} store
 * @param {Date} [now]
 * @returns {Promise<string[]>} lines for people
 */
export async function status(store, now = new Date()) {
  const text = await readCurrentText(store);
  if (text === null)
    return ["No version is in use: build, push and activate one. If one was in use, current is lost: activate that one.", ...HINT];
  const { value: current, refusal } = await readUsed(store, text, now);
  const entries = await readEntries(store, newestIn(text));
  const versions = await readVersions(store, idsOf(current, entries));
  return [
    ...(refusal ? [refusal] : []),
    ...(current ? currentLines(current, entries) : []),
    ...section(
      "Published:",
      versions.flatMap((version) => versionLines(version, current)),
    ),
    ...HINT,
  ];
}

/** Nobody but gc lists keys. */
const HINT = ["", 'Versions that were never activated, and pushes under way: "gc --keep 5 --dry-run".'];

/**
 * What is in use; or why nobody can tell.
 * @param {import("../store/store.js").Store} store
 * @param {string} text
 * @param {Date} now
 * @returns {Promise<{ value?: Current, refusal?: string }>}
 */
async function readUsed(store, text, now) {
  const used = await orRefusal(currentIn(text, store, now));
  if (used.value) return used;
  // A planned version that is not there: the Worker stays with the one before.
  const stored = await orRefusal(storedIn(text));
  return { ...stored, refusal: used.refusal };
}

/**
 * @template T
 * @param {Promise<T>} reading
 * @returns {Promise<{ value: T, refusal?: undefined } | { value?: undefined, refusal: string }>}
 */
async function orRefusal(reading) {
  try {
    return { value: await reading };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { refusal: error.message };
  }
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {string | undefined} newest
 */
async function readEntries(store, newest) {
  /** @type {Entry[]} */
  const entries = [];
  for await (const { entry } of chainFrom(store, newest)) {
    if (!entry || entries.push(entry) === ENTRIES) break;
  }
  return entries;
}

/**
 * @param {Current | undefined} current
 * @param {Entry[]} entries
 */
function idsOf(current, entries) {
  const named = current ? [current.id, current.next?.id, ...current.predecessors.map(({ id }) => id)] : [];
  const all = [...named, ...entries.flatMap((entry) => [entry.id, entry.before])];
  return new Set(all.filter((id) => typeof id === "string"));
}

/**
 * Those that are there, the latest first.
 * @param {import("../store/store.js").Store} store
 * @param {Set<string>} ids
 */
async function readVersions(store, ids) {
  const versions = [];
  for await (const [key, text] of manifestTexts(store, [...ids].map(versionKey))) versions.push(await orRefusal(manifestAt(key, text)));
  return versions.sort((left, right) => String(right.value?.pushedAt).localeCompare(String(left.value?.pushedAt)));
}

/**
 * @param {string} title
 * @param {string[]} lines
 */
const section = (title, lines) => (lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)]);

/**
 * @param {Current} current
 * @param {Entry[]} entries
 */
function currentLines(current, entries) {
  const { id, activatedAt, next, predecessors } = current;
  return [
    `In use: ${id} since ${moment(activatedAt)}: ${contentText(current)}`,
    ...whyLines(entries.find((entry) => [entry.at, entry.planned].includes(activatedAt) && entry.id === id)),
    ...(next ? [`Planned: ${next.id} from ${moment(next.at)}`, ...whyLines(entries[0])] : []),
    ...section("Before:", predecessors.map(predecessorLine)),
  ];
}

/** @param {{ by: string, note?: string } | undefined} entry */
const whyLines = (entry) => (entry ? [`  by ${entry.by}${entry.note ? `: ${entry.note}` : ""}`] : []);

/** @param {import("./version.js").Manifest} manifest */
function contentText(manifest) {
  const { branches, zones } = manifest;
  const zonesText = zones === null ? "no zones" : `zones ${zones.slice(0, 8)}`;
  return `${count(recordCount(manifest), "record")}, ${count(Object.keys(branches).length, "branch")}, ${zonesText}`;
}

/** @param {import("./version.js").Predecessor} predecessor */
const predecessorLine = ({ id, from, to, rolledBack }) => `${id} from ${moment(from)} to ${moment(to)}${rolledBack ? ", rolled back" : ""}`;

/**
 * @param {{ value?: import("./version.js").Published, refusal?: string }} version
 * @param {Current | undefined} current
 */
function versionLines({ value: manifest, refusal }, current) {
  if (!manifest) return [`${refusal}`];
  const { id, pushedAt, pushedBy, note } = manifest;
  const mark = id === current?.id ? ", in use" : "";
  const line = `${id} pushed ${moment(pushedAt)}: ${contentText(manifest)}${mark}`;
  const why = typeof note === "string" ? plain(note) : undefined;
  return [line, ...(typeof pushedBy === "string" ? whyLines({ by: plain(pushedBy), note: why }) : [])];
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {Date} [now]
 * @returns {AsyncGenerator<string>} lines for people
 */
export async function* history(store, now = new Date()) {
  const text = await readCurrentText(store);
  yield* historyLines(store, text === null ? undefined : newestIn(text), now);
}
