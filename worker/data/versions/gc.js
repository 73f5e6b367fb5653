// Deletes the versions that nobody needs any more, and the texts that only they name.
import { groups, pushingKey, versionKey } from "order-cost/internal";
import { Fault } from "../../command-line/index.js";
import { Kept } from "./kept.js";
import { TEXT_KINDS } from "./version.js";

/** So many keys are deleted at once. gc looks again before that: the more at once, the fewer looks. */
const MOST_DELETED = 5000;

/**
 * @typedef {object} Collected
 * @property {{ id: string, pushedAt?: string, reasons: string[] }[]} kept versions, the latest first, and why each stays
 * @property {{ id: string, startedAt?: string }[]} pushes those under way
 * @property {string[]} deleted the ids of versions that went
 * @property {string[]} givenUp the ids of pushes that went
 * @property {number} texts how many went
 * @property {number} textsKept how many stay
 */

/**
 * The only command that lists the namespace: page by page, for a large shop has a million texts. It may be stopped at any
 * point, and goes on when it is run again.
 *
 * @param {import("../store/store.js").Store} store
 * @param {object} options
 * @param {number} options.keep how many of the newest versions stay
 * @param {boolean} [options.dryRun] only finds out what would become of the versions
 * @param {(looked: number, deleted: number) => void} [options.onProgress] how many texts
 * @param {() => Date} [now]
 * @returns {Promise<Collected>}
 */
export async function gc(store, { keep, dryRun = false, onProgress = () => {} }, now = () => new Date()) {
  const kept = new Kept(store, keep, now);
  await kept.look();
  if (dryRun) return { ...kept.report(), deleted: kept.versionsToGo(), givenUp: kept.pushesToGo(), texts: 0, textsKept: 0 };
  kept.refuseBlindly();
  // Versions first: whatever stops this, a version that is left is whole. A push that is given up must not go on, either.
  const deleted = await remove(store, kept, versionKey, () => kept.versionsToGo());
  const givenUp = await remove(store, kept, pushingKey, () => kept.pushesToGo());
  const counts = await removeTexts(store, kept, onProgress);
  return { ...kept.report(), deleted, givenUp, ...counts };
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {Kept} kept
 * @param {(id: string) => string} keyOf
 * @param {() => string[]} idsToGo
 */
async function remove(store, kept, keyOf, idsToGo) {
  const gone = [];
  while (idsToGo().length > 0) {
    await kept.look();
    const [ids = []] = groups(idsToGo(), MOST_DELETED);
    if (ids.length > 0) await store.delete(ids.map(keyOf));
    kept.forget(ids.map(keyOf));
    gone.push(...ids);
  }
  return gone;
}

/**
 * @param {import("../store/store.js").Store} store
 * @param {Kept} kept
 * @param {(looked: number, deleted: number) => void} onProgress
 */
async function removeTexts(store, kept, onProgress) {
  const sweep = new Sweep(store, kept);
  let looked = 0;
  for (const kind of TEXT_KINDS) {
    for await (const page of store.listPages(`${kind}:`)) {
      looked += page.length;
      await sweep.take(page);
      onProgress(looked, sweep.deleted);
    }
  }
  await sweep.end();
  return { texts: sweep.deleted, textsKept: looked - sweep.deleted };
}

/** Deletes what nothing names, many at once. */
class Sweep {
  deleted = 0;
  #store;
  #kept;
  /** @type {string[]} */
  #unnamed = [];
  /** @type {string[]} */
  #last = [];

  /**
   * @param {import("../store/store.js").Store} store
   * @param {Kept} kept
   */
  constructor(store, kept) {
    this.#store = store;
    this.#kept = kept;
  }

  /** @param {string[]} keys */
  async take(keys) {
    for (const key of keys) if (!this.#kept.names(key)) this.#unnamed.push(key);
    if (this.#unnamed.length >= MOST_DELETED) await this.#delete();
  }

  async end() {
    if (this.#unnamed.length > 0) await this.#delete();
    if (this.#last.length > 0) await this.#look();
  }

  async #delete() {
    await this.#look();
    this.#last = this.#unnamed.filter((key) => !this.#kept.names(key));
    this.#unnamed = [];
    if (this.#last.length === 0) return;
    await this.#store.delete(this.#last);
    this.deleted += this.#last.length;
  }

  /** No look helps what begins between it and the delete: a moment, but then somebody must know. */
  async #look() {
    await this.#kept.look();
    const lost = this.#last.find((key) => this.#kept.names(key));
    if (lost === undefined) return;
    throw new Fault(
      `gc stopped: it deleted ${lost} at the moment in which a push or an activation began that needs it: push that version again, with --again`,
    );
  }
}
