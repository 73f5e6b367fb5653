// A store in memory. Tests see its calls, and let any of them fail.
const PAGE = 3;

export class MemoryStore {
  keys = new Map();
  /** As in `put version:3f…`, `get 3`. */
  calls = [];
  /** Called before each action. What it throws is thrown before anything is done. */
  before = async () => {};
  /** Called after each action: what it throws leaves everything done. */
  after = async () => {};

  get(keys) {
    return this.#call(`get ${keys.join(" ")}`, () => new Map(keys.map((key) => [key, this.keys.get(key) ?? null])));
  }

  /** Few keys a page, so that a caller who reads only the first page is found. As in KV, a page begins after the last key of the page before. */
  async *listPages(prefix) {
    for (let last = ""; last !== undefined; ) {
      const page = await this.#call(`list ${prefix}`, () => this.#keysBehind(last, prefix).slice(0, PAGE));
      yield page;
      last = page.length < PAGE ? undefined : page.at(-1);
    }
  }

  #keysBehind(last, prefix) {
    return [...this.keys.keys()].filter((key) => key.startsWith(prefix) && key > last).sort();
  }

  /** An entry a call, as if each were as large as a batch. */
  async put(entries, done = () => {}) {
    let count = 0;
    for await (const { key, value } of entries) {
      await this.#call(`put ${key}`, () => this.keys.set(key, value));
      done((count += 1));
    }
  }

  /** A key a call. */
  async delete(keys) {
    for (const key of keys) await this.#call(`delete ${key}`, () => this.keys.delete(key));
  }

  async close() {}

  async #call(name, act) {
    this.calls.push(name);
    await this.before(name, this.calls.length);
    const result = act();
    await this.after(name, this.calls.length);
    return result;
  }

  copy() {
    const copy = new MemoryStore();
    copy.keys = new Map(this.keys);
    return copy;
  }

  /** The manifest under a key, or undefined. */
  read(key) {
    const text = this.keys.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }
}

/**
 * All keys of a store with this prefix.
 * @param {Pick<import("../../worker/data/store/store.js").Store, "listPages">} store
 */
export async function keysIn(store, prefix = "") {
  const keys = [];
  for await (const page of store.listPages(prefix)) keys.push(...page);
  return keys;
}

export class Cut extends Error {}

/**
 * Runs an action against copies of a store, and lets each of its calls fail in turn: before it is done, and after it.
 * @param {MemoryStore} store
 * @param {(store: MemoryStore) => Promise<unknown>} act
 * @param {(store: MemoryStore, what: string) => Promise<void>} check after each failure
 * @returns {Promise<number>} how many calls a clean run makes
 */
export async function failAtEachCall(store, act, check) {
  const clean = store.copy();
  await act(clean);
  for (let failing = 1; failing <= clean.calls.length; failing += 1) {
    for (const when of ["before", "after"]) {
      const cut = store.copy();
      cut[when] = async (name, number) => {
        if (number === failing) throw new Cut();
      };
      const failure = await act(cut).then(
        () => undefined,
        (error) => error,
      );
      if (!(failure instanceof Cut)) throw new Error(`call ${failing} did not fail the command`, { cause: failure });
      cut[when] = async () => {};
      await check(cut, `cut ${when} ${clean.calls[failing - 1]}`);
    }
  }
  return clean.calls.length;
}

/** Takes part in a report, and shows nothing. */
export const SILENT = { progress: () => ({ update() {}, stop() {} }) };
