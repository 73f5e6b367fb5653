// Who switched versions when and why: a chain of entries. `current` names the newest, each names the one before.
import { damageOf, hashOf, historyKey } from "order-cost/internal";
import { moment } from "../../command-line/index.js";
import { plain } from "./actor.js";

/**
 * @typedef {object} Change
 * @property {string} id the version that was activated, gone back to, planned, or planned no more
 * @property {string} at when
 * @property {string | null} before what was in use until then; null: nothing that is known
 * @property {string | null} previous the hash of the entry before
 *
 * @typedef {{ action: "plan", planned: string } | { action: "activate" | "cancel" | "rollback", planned?: string }} Action `planned`:
 *   since when a planned version is in use
 * @typedef {Change & Action} Deed
 * @typedef {Deed & { by: string, note?: string }} Entry `by`: who; `note`: why
 *
 * @typedef {{ entry: Entry, fault?: undefined } | { entry?: undefined, fault: string }} Read `fault`: why it cannot be read
 *
 * @typedef {{ by?: string, note?: string }} Why who does something, and why
 */

/**
 * Writes an entry.
 * @param {import("../store/store.js").Store} store
 * @param {Deed} entry
 * @param {Why} why
 * @returns {Promise<string>} its hash
 */
export async function record(store, { previous, ...entry }, { by = "unknown", note }) {
  const value = JSON.stringify({ ...entry, by, ...(note && { note }), previous });
  const hash = await hashOf(value);
  await store.put([{ key: historyKey(hash), value }]);
  return hash;
}

/**
 * The chain, the newest first. It ends where an entry cannot be read: that one is a fault, which is the last of all.
 * @param {import("./version.js").Texts} store
 * @param {string | null | undefined} newest the hash of the first entry
 * @returns {AsyncGenerator<Read & { hash: string }>}
 */
export async function* chainFrom(store, newest) {
  for (let hash = newest ?? null; hash !== null; ) {
    const read = await readEntry(store, hash);
    yield { hash, ...read };
    hash = read.entry?.previous ?? null;
  }
}

/**
 * @param {import("./version.js").Texts} store
 * @param {string} hash
 * @returns {Promise<Read>}
 */
async function readEntry(store, hash) {
  const key = historyKey(hash);
  const text = (await store.get([key])).get(key) ?? null;
  const damage = await damageOf(key, text);
  if (damage || text === null) return { fault: `${key} is ${damage}: nobody knows what was before` };
  const entry = entryIn(text);
  return entry ? { entry } : { fault: `${key} is malformed: nobody knows what was before` };
}

/**
 * @param {string} text
 * @returns {Entry | undefined}
 */
function entryIn(text) {
  const { action, id, at, before, planned, by, note, previous } = parsed(text) ?? {};
  const isEntry =
    ACTIONS.includes(action) &&
    isId(id) &&
    isTime(at) &&
    (before === null || isId(before)) &&
    (planned === undefined ? action !== "plan" : isTime(planned)) &&
    typeof by === "string" &&
    (note === undefined || typeof note === "string") &&
    (previous === null || isHash(previous));
  if (!isEntry) return undefined;
  // Whoever writes to KV may put anything there, and a terminal obeys control characters.
  return { action, id, at, before, ...(planned && { planned }), by: plain(by), ...(note && { note: plain(note) }), previous };
}

const ACTIONS = ["activate", "plan", "cancel", "rollback"];
/** @type {(pattern: RegExp) => (value: unknown) => boolean} */
const matching = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const isId = matching(/^[0-9a-f]{16}$/);
const isHash = matching(/^[0-9a-f]{32}$/);
const isTime = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The hash of the newest entry, also of a `current` that was spoilt. Undefined: it names none.
 * @param {string} text of `current`
 */
export function newestIn(text) {
  const hash = parsed(text)?.history;
  return isHash(hash) ? hash : undefined;
}

/**
 * The same, if that entry can be read: a chain goes on from there. Undefined: a new one begins.
 * @param {import("./version.js").Texts} store
 * @param {string} text of `current`
 */
export async function newestReadable(store, text) {
  const hash = newestIn(text);
  const isReadable = hash !== undefined && (await readEntry(store, hash)).entry !== undefined;
  return isReadable ? hash : undefined;
}

/** @typedef {{ id: string, to: string }} Use a version, and until when it was in use */

/**
 * What was in use at any time since a moment, the latest first, as far as the chain says.
 * @param {AsyncIterable<{ entry?: Entry }>} chain the newest first
 * @param {string} since
 * @param {string} now
 * @returns {Promise<{ uses: Use[], isComplete: boolean }>} `isComplete`: the chain goes back so far
 */
export async function usesSince(chain, since, now) {
  /** @type {{ id: string | null, to: string }[]} */
  const uses = [];
  let end = now;
  for await (const { entry } of chain) {
    if (!entry) break;
    // Its time came before anybody switched again.
    const isPlan = entry.action === "plan" && entry.planned <= end;
    if (isPlan) uses.push({ id: entry.id, to: end });
    const id = entry.action === "activate" || entry.action === "rollback" ? entry.id : entry.before;
    uses.push({ id, to: isPlan ? entry.planned : end });
    end = entry.at;
    if (end < since) return { uses: within(uses, since), isComplete: true };
    if (entry.previous === null) uses.push({ id: entry.before, to: end });
  }
  return { uses: within(uses, since), isComplete: false };
}

/**
 * @param {{ id: string | null, to: string }[]} uses
 * @param {string} since
 * @returns {Use[]}
 */
const within = (uses, since) => uses.flatMap(({ id, to }) => (id !== null && to >= since ? [{ id, to }] : []));

/** How many entries people are shown. */
const MOST_SHOWN = 100;

/**
 * The chain for people, the newest first.
 * @param {import("./version.js").Texts} store
 * @param {string | undefined} newest
 * @param {Date} now
 * @returns {AsyncGenerator<string>} lines
 */
export async function* historyLines(store, newest, now) {
  if (newest === undefined) yield "No history yet: the next activate or rollback begins it.";
  let end = now.toISOString();
  let shown = 0;
  for await (const { entry, fault } of chainFrom(store, newest)) {
    if (shown === MOST_SHOWN) {
      yield `These are the newest ${MOST_SHOWN}; there are older ones.`;
      return;
    }
    if (shown > 0) yield "";
    if (!entry) {
      yield fault;
      return;
    }
    yield* entryLines(entry, end, shown === 0);
    end = entry.at;
    shown += 1;
  }
}

/**
 * @param {Entry} entry
 * @param {string} end when the next one was made
 * @param {boolean} isNewest
 */
function entryLines(entry, end, isNewest) {
  const { at, by, note } = entry;
  return [`${moment(at)}  ${deed(entry, end, isNewest)}`, `  by ${by}${note ? `: ${note}` : ""}`];
}

/**
 * @param {Deed} entry
 * @param {string} end
 * @param {boolean} isNewest
 */
function deed(entry, end, isNewest) {
  const { id, before } = entry;
  const place = before === null || before === id ? "" : `, in place of ${before}`;
  if (entry.action === "plan") {
    const since = moment(entry.planned);
    if (entry.planned <= end) return `${id} planned: in use since ${since}${place}`;
    return `${id} planned for ${since}${isNewest ? "" : ": it did not come to that"}`;
  }
  if (entry.action === "activate") return `${id} activated${place}`;
  if (entry.action === "rollback") return `back to ${id}${before === null ? "" : `, from ${before}`}`;
  return `the plan of ${id} taken back`;
}
