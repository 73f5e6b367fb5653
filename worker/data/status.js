// What is in use, and what else the store has.
import { CURRENT_KEY } from "../src/keys.js";
import { count } from "./count.js";
import { Fault } from "./fault.js";
import { manifestAt, recordCount } from "./version.js";

/**
 * @param {import("./store.js").Store} store
 * @returns {Promise<string[]>} lines for people
 */
export async function status(store) {
  const keys = [...(await store.list("version:")), ...(await store.list("pushing:")), CURRENT_KEY];
  const there = [...(await store.get(keys))].filter(([, text]) => text !== null);
  const found = await Promise.all(there.map(([key, text]) => entryAt(key, text)));
  const all = (prefix) => found.filter(({ key }) => key.startsWith(prefix));
  const [current] = all(CURRENT_KEY);
  const versions = all("version:").sort(latestFirst);
  const versionLines = versions.map((version) => versionLine(version, current));
  return [
    ...(current ? currentLines(current) : [NOTHING[Number(versions.length > 0)]]),
    ...section("Published:", versionLines),
    ...section("Pushes under way:", all("pushing:").map(pushLine)),
  ];
}

const NOTHING = [
  "No version yet: build, push and activate one.",
  "No version is in use yet: activate one of those published.",
];

const latestFirst = (left, right) => String(right.manifest?.pushedAt).localeCompare(String(left.manifest?.pushedAt));

/** A manifest, or the sentence that refuses it. */
async function entryAt(key, text) {
  try {
    return { key, manifest: await manifestAt(key, text) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { key, refusal: error.message };
  }
}

const section = (title, lines) => (lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)]);

function currentLines({ manifest, refusal }) {
  if (refusal) return [refusal];
  const { id, activatedAt, predecessors } = manifest;
  return [
    `In use: ${id} since ${moment(activatedAt)}: ${contentText(manifest)}`,
    ...section("Before:", predecessors.map(predecessorLine)),
  ];
}

function contentText(manifest) {
  const { branches, zones } = manifest;
  const zonesText = zones === null ? "no zones" : `zones ${zones.slice(0, 8)}`;
  return `${count(recordCount(manifest), "record")}, ${count(Object.keys(branches).length, "branch")}, ${zonesText}`;
}

const predecessorLine = ({ id, from, to, rolledBack }) =>
  `${id} from ${moment(from)} to ${moment(to)}${rolledBack ? ", rolled back" : ""}`;

function versionLine({ manifest, refusal }, current) {
  if (refusal) return refusal;
  const mark = manifest.id === current?.manifest?.id ? ", in use" : "";
  return `${manifest.id} pushed ${moment(manifest.pushedAt)}: ${contentText(manifest)}${mark}`;
}

function pushLine({ manifest, refusal }) {
  if (refusal) return refusal;
  return `${manifest.id} since ${moment(manifest.startedAt)}: ${contentText(manifest)}`;
}

/** `2026-11-23 09:05:35 UTC` */
const moment = (iso) => (iso === undefined ? "an unknown time" : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`);
