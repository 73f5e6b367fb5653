// What is in use, what is planned, and what there is to go back to. It lists nothing: a large shop has a million keys.
import { CURRENT_KEY, versionKey } from "../../pkg/catalogue/keys.js";
import { plain } from "./actor.js";
import { count, moment } from "./count.js";
import { Fault } from "./fault.js";
import { chainFrom, historyLines, newestIn } from "./history.js";
import { currentIn, manifestAt, manifestTexts, readCurrentText, recordCount } from "./version.js";

/** How many entries of the history are looked at for versions. */
const ENTRIES = 20;

/**
 * @param {import("./store.js").Store} store
 * @param {Date} [now]
 * @returns {Promise<string[]>} lines for people
 */
export async function status(store, now = new Date()) {
  const text = await readCurrentText(store);
  if (text === null)
    return ["No version is in use: build, push and activate one. If one was in use, current is lost: activate that one.", ...HINT];
  const { current, refusal } = await readUsed(store, text, now);
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

/** What is in use; or why nobody can tell. */
async function readUsed(store, text, now) {
  const reading = (read) => read.then((current) => ({ current }), refused);
  const used = await reading(currentIn(text, store, now));
  if (used.current) return used;
  // A planned version that is not there: the Worker stays with the one before.
  const stored = await reading(manifestAt(CURRENT_KEY, text));
  return { ...stored, refusal: used.refusal };
}

function refused(error) {
  if (!(error instanceof Fault)) throw error;
  return { refusal: error.message };
}

async function readEntries(store, newest) {
  const entries = [];
  for await (const { entry } of chainFrom(store, newest)) {
    if (!entry || entries.push(entry) === ENTRIES) break;
  }
  return entries;
}

function idsOf(current, entries) {
  const { id, next, predecessors } = current ?? { predecessors: [] };
  const all = [id, next?.id, ...predecessors.map((one) => one.id), ...entries.flatMap((entry) => [entry.id, entry.before])];
  return new Set(all.filter(Boolean));
}

/** Those that are there, the latest first. */
async function readVersions(store, ids) {
  const versions = [];
  for await (const [key, text] of manifestTexts(store, [...ids].map(versionKey))) {
    versions.push(await manifestAt(key, text).then((manifest) => ({ manifest }), refused));
  }
  return versions.sort((left, right) => String(right.manifest?.pushedAt).localeCompare(String(left.manifest?.pushedAt)));
}

const section = (title, lines) => (lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)]);

function currentLines(current, entries) {
  const { id, activatedAt, next, predecessors } = current;
  return [
    `In use: ${id} since ${moment(activatedAt)}: ${contentText(current)}`,
    ...whyLines(entries.find((entry) => [entry.at, entry.planned].includes(activatedAt) && entry.id === id)),
    ...(next ? [`Planned: ${next.id} from ${moment(next.at)}`, ...whyLines(entries[0])] : []),
    ...section("Before:", predecessors.map(predecessorLine)),
  ];
}

const whyLines = (entry) => (entry ? [`  by ${entry.by}${entry.note ? `: ${entry.note}` : ""}`] : []);

function contentText(manifest) {
  const { branches, zones } = manifest;
  const zonesText = zones === null ? "no zones" : `zones ${zones.slice(0, 8)}`;
  return `${count(recordCount(manifest), "record")}, ${count(Object.keys(branches).length, "branch")}, ${zonesText}`;
}

const predecessorLine = ({ id, from, to, rolledBack }) => `${id} from ${moment(from)} to ${moment(to)}${rolledBack ? ", rolled back" : ""}`;

function versionLines({ manifest, refusal }, current) {
  if (refusal) return [refusal];
  const { id, pushedAt, pushedBy, note } = manifest;
  const mark = id === current?.id ? ", in use" : "";
  const line = `${id} pushed ${moment(pushedAt)}: ${contentText(manifest)}${mark}`;
  const why = typeof note === "string" ? plain(note) : undefined;
  return [line, ...(typeof pushedBy === "string" ? whyLines({ by: plain(pushedBy), note: why }) : [])];
}

/**
 * @param {import("./store.js").Store} store
 * @param {Date} [now]
 * @returns {AsyncGenerator<string>} lines for people
 */
export async function* history(store, now = new Date()) {
  const text = await readCurrentText(store);
  yield* historyLines(store, text === null ? undefined : newestIn(text), now);
}
