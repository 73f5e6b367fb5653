// What `gc` keeps, and why. It only grows: what comes while gc runs is kept, too.
import { hashIn, versionKey } from "order-cost/internal";
import { Fault, moment } from "../../command-line/index.js";
import { targetOf } from "./activate.js";
import { chainFrom, usesSince } from "./history.js";
import {
  currentIn,
  Damage,
  MOST_PREDECESSORS,
  manifestAt,
  manifestTexts,
  Names,
  openAll,
  readCurrentText,
  readTexts,
  readWhole,
} from "./version.js";

const HOUR = 3_600_000;
/** Isolates, caches and orders under way may still ask for a version that was in use. */
const STILL_READ_MS = 24 * HOUR;
/** A push that began earlier is given up. */
const PUSH_MS = 7 * 24 * HOUR;

export class Kept {
  #store;
  #keep;
  #now;
  #history;
  #isFirst = true;
  #isInUse = false;
  /**
   * When each version was pushed, by its id.
   * @type {Map<string, string | undefined>}
   */
  #published = new Map();
  /**
   * When each push began, by the version's id; and those that are given up.
   * @type {Map<string, string | undefined>}
   */
  #pushes = new Map();
  /** @type {Set<string>} */
  #stale = new Set();
  /**
   * Why each version stays, by its id.
   * @type {Map<string, Set<string>>}
   */
  #reasons = new Map();
  /**
   * The ids of versions whose texts are known.
   * @type {Set<string>}
   */
  #known = new Set();
  #names = new Names();
  /** Those of pushes may not be there yet. */
  #coming = new Names();

  /**
   * @param {import("../store/store.js").Store} store
   * @param {number} keep how many of the newest versions stay
   * @param {() => Date} now
   */
  constructor(store, keep, now) {
    this.#store = store;
    this.#keep = keep;
    this.#now = now;
    this.#history = readingOnce(store);
  }

  /**
   * Whether a version that stays, or a push, names a text.
   * @param {string} key
   */
  names = (key) => this.#names.keys.has(key) || this.#coming.keys.has(key);

  versionsToGo = () => [...this.#published.keys()].filter((id) => !this.#reasons.has(id));

  pushesToGo = () => [...this.#stale];

  /** Without `current` nobody knows what was in use: a lost key must not become a lost catalogue. */
  refuseBlindly() {
    if (this.#isInUse || this.versionsToGo().length === 0) return;
    throw new Fault('nothing is in use, so gc cannot tell what was: "activate <id>" first');
  }

  /**
   * What was deleted. If it is there again, somebody has written it since.
   * @param {string[]} keys
   */
  forget(keys) {
    for (const key of keys) {
      if (key.startsWith("version:")) this.#published.delete(hashIn(key));
      else this.#stale.delete(hashIn(key));
    }
  }

  report() {
    const published = [...this.#reasons].filter(([id]) => this.#published.has(id));
    const kept = published.map(([id, reasons]) => ({ id, pushedAt: this.#published.get(id), reasons: [...reasons] }));
    const pushes = Array.from(this.#pushes, ([id, startedAt]) => ({ id, startedAt }));
    return { kept: kept.sort(latestFirst), pushes };
  }

  /** Looks at what is in use, published and being pushed. */
  async look() {
    // Pushes before versions: one that ends in between is found as a version.
    await this.#lookAtPushes();
    await this.#lookAtVersions();
    const current = await this.#lookAtCurrent();
    for (const id of this.#newest()) this.#stay(id, `one of the ${this.#keep} newest`);
    await this.#learnNames(current);
    this.#isFirst = false;
  }

  /**
   * @param {string} id
   * @param {string} reason
   */
  #stay(id, reason) {
    const reasons = this.#reasons.get(id) ?? new Set();
    this.#reasons.set(id, reasons.add(reason));
  }

  async #lookAtPushes() {
    this.#stale.clear();
    for await (const { startedAt, reliesOn, ...manifest } of this.#manifests("pushing:")) {
      const { id, onto, zonesFrom } = manifest;
      if (isWithin(PUSH_MS, startedAt, this.#now())) {
        this.#pushes.set(id, startedAt);
        this.#coming.add(manifest);
        this.#stay(id, "it is being pushed");
        const others = [onto, zonesFrom, ...(reliesOn ?? [])].filter((other) => other !== null);
        for (const other of others) this.#stay(other, "a push relies on it");
      } else this.#stale.add(id);
    }
  }

  async #lookAtVersions() {
    for await (const { id, pushedAt } of this.#manifests("version:", (id) => this.#published.has(id))) {
      this.#published.set(id, pushedAt);
      if (!this.#isFirst) this.#stay(id, "published while gc ran");
    }
  }

  /**
   * The manifests under keys, but for those of ids that are known.
   * @param {string} prefix
   * @param {(id: string) => boolean} [isKnown]
   */
  async *#manifests(prefix, isKnown = () => false) {
    for await (const page of this.#store.listPages(prefix)) {
      const keys = page.filter((key) => !isKnown(hashIn(key)));
      for await (const [key, text] of manifestTexts(this.#store, keys)) yield await manifestAt(key, text);
    }
  }

  async #lookAtCurrent() {
    const text = await readCurrentText(this.#store);
    this.#isInUse = text !== null;
    if (text === null) return undefined;
    const current = await currentIn(text, this.#store, this.#now());
    const { id, activatedAt, next } = current;
    this.#stay(id, `in use since ${moment(activatedAt)}`);
    if (next) this.#stayPlanned(next);
    const target = targetOf(current);
    if (target) this.#stay(target.id, "a rollback goes back to it");
    await this.#stayRecent(current);
    return current;
  }

  /** @param {import("./version.js").Next} plan */
  #stayPlanned({ id, at }) {
    if (!this.#published.has(id)) throw new Fault(`gc stopped: ${id}, planned for ${moment(at)}, is not published: push it again`);
    this.#stay(id, `planned for ${moment(at)}`);
  }

  /** @param {import("./version.js").Current} current */
  async #stayRecent(current) {
    const now = this.#now();
    const since = new Date(now.getTime() - STILL_READ_MS).toISOString();
    const recent = current.predecessors.filter(({ to }) => to > since);
    const chain = chainFrom(this.#history, current.history);
    const { uses, isComplete } = await usesSince(chain, since, now.toISOString());
    /** @type {Map<string, string>} */
    const ends = new Map();
    for (const { id, to } of [...uses, ...recent]) if (id !== current.id && (ends.get(id) ?? "") < to) ends.set(id, to);
    for (const [id, to] of ends) {
      this.#refuseUnknown(id, to);
      this.#stay(id, `in use until ${moment(to)}`);
    }
    // A full list has forgotten what else was in use within that time.
    if (isComplete || recent.length < MOST_PREDECESSORS) return;
    for (const id of this.#published.keys()) this.#stay(id, "perhaps in use within 24 hours: nothing says so any more");
  }

  /**
   * @param {string} id
   * @param {string} to
   */
  #refuseUnknown(id, to) {
    if (this.#published.has(id)) return;
    const until = "gc deletes nothing until 24 hours after that";
    throw new Fault(`${id} was in use until ${moment(to)}, and nothing says any more which texts it names: ${until}`);
  }

  #newest() {
    const sorted = Array.from(this.#published, ([id, pushedAt]) => ({ id, pushedAt })).sort(latestFirst);
    return sorted.slice(0, this.#keep).map(({ id }) => id);
  }

  /** @param {import("./version.js").Current | undefined} current */
  async #learnNames(current) {
    if (current) await this.#learn(current);
    const unknown = [...this.#reasons.keys()].filter((id) => this.#published.has(id) && !this.#known.has(id));
    for await (const [key, text] of manifestTexts(this.#store, unknown.map(versionKey))) {
      await this.#learn(await manifestAt(key, text));
    }
    // What is not there yet is opened another time. A push uploads it before what it names.
    await openAll(this.#coming, (keys) => readWhole(this.#store, keys), this.#names);
  }

  /** @param {import("./version.js").Manifest} manifest */
  async #learn(manifest) {
    if (this.#known.has(manifest.id)) return;
    this.#names.add(manifest);
    await openAll(this.#names, (keys) => readTexts(this.#store, keys)).catch((error) => {
      if (!(error instanceof Damage)) throw error;
      throw new Fault(`gc stopped, as it cannot tell which texts ${manifest.id} names: ${error.message}`);
    });
    this.#known.add(manifest.id);
  }
}

/**
 * A time that is none counts as recent: nothing is deleted on its account.
 * @param {number} span
 * @param {string | undefined} time
 * @param {Date} now
 */
const isWithin = (span, time, now) => !(now.getTime() - Date.parse(time ?? "") >= span);

/** @type {(left: { pushedAt?: string }, right: { pushedAt?: string }) => number} */
const latestFirst = (left, right) => String(right.pushedAt).localeCompare(String(left.pushedAt));

/**
 * Entries of the history never change.
 * @param {import("./version.js").Texts} store
 * @returns {import("./version.js").Texts}
 */
function readingOnce(store) {
  /** @type {Map<string, string | null>} */
  const read = new Map();
  return {
    async get(keys) {
      const missing = keys.filter((key) => !read.has(key));
      if (missing.length > 0) for (const [key, text] of await store.get(missing)) read.set(key, text);
      return new Map(keys.map((key) => [key, read.get(key) ?? null]));
    },
  };
}
