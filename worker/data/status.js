// What is in use, and what else the store has.
import { FORMAT } from "../src/catalogue/format.js";
import { CURRENT_KEY } from "../src/keys.js";
import { count } from "./count.js";
import { recordCount } from "./version.js";

/**
 * @param {import("./store.js").Store} store
 * @returns {Promise<string[]>} lines for people
 */
export async function status(store) {
  const keys = [...(await store.list("version:")), ...(await store.list("pushing:")), CURRENT_KEY];
  const found = Array.from(await store.get(keys), ([key, text]) => ({ key, manifest: parsed(text) }));
  const all = (prefix) => found.filter(({ key, manifest }) => key.startsWith(prefix) && manifest !== undefined);
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

/** undefined: not there; null: unreadable. */
function parsed(text) {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const idOf = (key) => key.slice(key.indexOf(":") + 1);
const isKnown = (manifest) => manifest?.format === FORMAT;
const unknown = (key, manifest) =>
  `${idOf(key)}: a manifest of an unknown format (${manifest?.format ?? "unreadable"})`;
const section = (title, lines) => (lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)]);

function currentLines({ key, manifest }) {
  if (!isKnown(manifest)) return [unknown(key, manifest)];
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

function versionLine({ key, manifest }, current) {
  if (!isKnown(manifest)) return unknown(key, manifest);
  const mark = manifest.id === current?.manifest?.id ? ", in use" : "";
  return `${manifest.id} pushed ${moment(manifest.pushedAt)}: ${contentText(manifest)}${mark}`;
}

function pushLine({ key, manifest }) {
  if (!isKnown(manifest)) return unknown(key, manifest);
  return `${manifest.id} since ${moment(manifest.startedAt)}: ${contentText(manifest)}`;
}

/** `2026-11-23 09:05:35 UTC` */
const moment = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
