import { DIFFERENCES } from "./differences.js";

/** What is wrong with a list of differences. */
export class WrongList extends Error {}

/**
 * Reads a list such as `rowTotal,floats:0.1`: which differences, and in which share of the orders each.
 * @param {string} [list]
 * @returns {{ name: string, share: number }[]} in the sequence in which they are made
 */
export function readWanted(list = "") {
  const entries = list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const wanted = new Map(entries.map(readEntry));
  return Object.keys(DIFFERENCES).flatMap((name) => {
    const share = wanted.get(name);
    return share === undefined ? [] : [{ name, share }];
  });
}

/**
 * @param {string} entry
 * @returns {[name: string, share: number]}
 */
function readEntry(entry) {
  const [name, share = "1"] = entry.split(":");
  if (!Object.hasOwn(DIFFERENCES, name)) {
    throw new WrongList(`unknown difference ${JSON.stringify(name)}: expected ${Object.keys(DIFFERENCES).join(", ")}`);
  }
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(share)) {
    throw new WrongList(`${name}: expected a share from 0 to 1, got ${JSON.stringify(share)}`);
  }
  return [name, Number(share)];
}

/**
 * The differences of one order. They depend on its text alone: the same order is always answered the same.
 * @param {ReturnType<typeof readWanted>} wanted
 * @param {string} body
 */
export function chosen(wanted, body) {
  return wanted.filter(({ name, share }) => share === 1 || placeOf(`${name} ${body}`) < share).map(({ name }) => name);
}

/**
 * A number from 0 up to 1: FNV-1a, then mixed, because FNV's high bits depend little on the last characters.
 * @param {string} text
 */
function placeOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
