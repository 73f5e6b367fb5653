// The commands, from their options to what they print. Each returns its exit code, where that is not 0.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CURRENT_KEY } from "order-cost/internal";
import { count, Fault, FaultList, megabytes, moment, Terminal } from "../command-line/index.js";
import { build as buildVersion } from "./build/index.js";
import { LOCAL_STATE, openStore, push as pushVersion } from "./store/index.js";
import {
  activate as activateVersion,
  actor,
  branchesText,
  cancel,
  gc as collect,
  compare,
  excesses,
  fileOf,
  folderBefore,
  history,
  isWhole,
  lossesOf,
  plain,
  readCurrent,
  readManifest,
  status as readStatus,
  recordCount,
  refuseImpact,
  refuseOverwriting,
  refuseVersion,
  rollback as rollBack,
} from "./versions/index.js";

/** What builds have read and written, so that the next one need not read it again. */
const CACHE = fileURLToPath(new URL("../.wrangler/catalogue", import.meta.url));

/**
 * @typedef {import("./store/store.js").StoreOptions} StoreOptions
 * @typedef {import("./store/store.js").Store} Store
 * @typedef {import("./versions/diff.js").Difference} Difference
 * @typedef {import("./versions/diff.js").Limits} Limits
 * @typedef {import("./versions/version.js").Manifest} Manifest
 * @typedef {import("./versions/activate.js").Used} Used
 *
 * What a person typed, as commander gives it.
 * @typedef {Omit<import("./build/build.js").BuildOptions, "zones" | "noZones" | "cache">} Files
 * @typedef {Files & { zones?: string | boolean, cacheDir?: string }} OfBuild `zones`: false by --no-zones, true by neither
 * @typedef {StoreOptions & OfBuild} BuildOptions
 * @typedef {StoreOptions & Limits} DiffOptions
 * @typedef {StoreOptions & { note?: string, again?: boolean }} PushOptions
 * @typedef {{ at?: string, cancel?: boolean, force?: boolean }} OfActivation
 * @typedef {{ captures?: string, maxImpact?: number, html?: string }} OfImpact
 * @typedef {StoreOptions & Limits & OfActivation & OfImpact & { note?: string }} ActivateOptions
 */

/**
 * The folders that a store lies in.
 * @param {StoreOptions} options
 */
const storeFolders = ({ dir, remote, persistTo }) => (remote ? [] : [dir ?? persistTo ?? LOCAL_STATE]);

export class Commands {
  #surroundings;
  #now;
  #terminal;
  #console;
  #colours;

  /** @param {import("../command-line/surroundings.js").Surroundings} surroundings */
  constructor(surroundings) {
    this.#surroundings = surroundings;
    this.#now = surroundings.now ?? (() => new Date());
    this.#terminal = new Terminal(surroundings);
    this.#console = this.#terminal.console;
    this.#colours = this.#terminal.colours;
  }

  /**
   * @param {BuildOptions} options
   * @returns {Promise<number | undefined>}
   */
  async build(options) {
    /** @type {Store[]} */
    const stores = [];
    const open = async () => {
      const store = await this.#open(options);
      stores.push(store);
      return store;
    };
    const faults = new FaultList((line) => this.#console.error(line));
    /** @type {string[]} */
    const notices = [];
    /** @type {import("./input/build-input.js").Report} */
    const report = {
      ...this.#report,
      fault: (text) => faults.add(text),
      notice: (text) => notices.push(text),
    };
    try {
      const zones = typeof options.zones === "string" ? options.zones : undefined;
      const read = [...storeFolders(options), options.prices, options.remove, zones];
      await refuseOverwriting("--out", options.out, read);
      await refuseOverwriting("--cache-dir", options.cacheDir, [...read, options.out]);
      await refuseVersion("--cache-dir", options.cacheDir);
      // A folder is read as fast as the cache, which belongs to another store.
      const cache = options.cacheDir ?? (options.dir === undefined ? CACHE : undefined);
      const settings = { ...options, cache, zones, noZones: options.zones === false };
      const built = await buildVersion(settings, open, report).finally(() => faults.end());
      for (const notice of notices) this.#console.error(`${this.#colours.yellow("note")} ${notice}`);
      if (!built) {
        this.#console.error(`\n${this.#colours.red(count(faults.count, "fault"))}: nothing was written`);
        return 1;
      }
      this.#printBuilt(built, options);
    } finally {
      for (const store of stores) await store.close();
    }
  }

  get #report() {
    return { progress: this.#terminal.progressBar.bind(this.#terminal) };
  }

  /** @param {StoreOptions} options */
  #open(options) {
    return openStore({ ...options, environment: this.#surroundings.env, tell: (line) => this.#terminal.note(line) });
  }

  /**
   * A folder that is not there has no versions; only `push` and `build` may begin one.
   * @template T
   * @param {StoreOptions} options
   * @param {(store: Store) => Promise<T>} run
   */
  async #withStore(options, run, { mustExist = true } = {}) {
    const store = await this.#open({ ...options, mustExist });
    try {
      return await run(store);
    } finally {
      await store.close();
    }
  }

  /**
   * @param {import("./build/build.js").Built} built
   * @param {BuildOptions} options
   */
  #printBuilt({ manifest, written, merged, read, newBranches }, { out, ...options }) {
    const { id, onto, bases = {}, branches } = manifest;
    const shared = Object.keys(bases).length;
    this.#console.log(`${this.#colours.bold(id)}${onto === null ? "" : `, built onto ${onto}`}`);
    this.#console.log(
      `  ${count(recordCount(manifest), "record")} in ${count(Object.keys(branches).length, "branch")}${shared > 0 ? `, on ${count(shared, "base")}` : ""}`,
    );
    for (const { name, lines, rows } of read) this.#console.log(`  read: ${count(lines, "line")}, ${count(rows, "row")} of ${name}`);
    if (newBranches.length > 0) this.#console.log(`  new: ${branchesText(newBranches)}`);
    this.#console.log(`  written: ${count(written.texts, "text")}, ${megabytes(written.bytes)}`);
    const merges = [count(merged.bases, "base"), count(merged.branches, "branch")].filter((text) => !text.startsWith("0 "));
    if (merges.length > 0) this.#console.log(`  merged: ${merges.join(", ")}`);
    this.#console.log(`  ${zonesSentence(manifest)}`);
    this.#console.log(`\nNext: npm run data -- ${isEmpty(options) ? "push" : "diff"} ${out}${suffix(options)}`);
  }

  /**
   * @param {DiffOptions} options
   * @param {string} folder
   */
  diff(options, folder) {
    return this.#withStore(options, async (store) => {
      const manifest = await readManifest(folder);
      const difference = await this.#differenceTo(await readCurrent(store), manifest, folderBefore(folder, store), options);
      this.#printDifference(manifest, difference);
      return this.#printExcesses(difference, options);
    });
  }

  /**
   * What a version changes about the one in use.
   * @param {Manifest | undefined} current
   * @param {Manifest} version
   * @param {import("./versions/version.js").Texts} texts
   * @param {Limits} limits
   */
  async #differenceTo(current, version, texts, { maxChange }) {
    const bar = this.#terminal.lateBar("Comparing");
    try {
      return await compare(current, version, texts, { maxChange, onProgress: bar.onProgress });
    } finally {
      bar.stop();
    }
  }

  /**
   * @param {Manifest} version
   * @param {Difference} difference
   */
  #printDifference({ id }, difference) {
    const { before, added, removed, changed, largest, newBranches, goneBranches, zones } = difference;
    /** @param {string} line */
    const print = (line) => this.#console.log(line);
    const name = this.#colours.bold(id);
    print(before === 0 ? `${name}: nothing is in use yet` : `${name}, against ${count(before, "record")} in use`);
    print(`  ${count(added, "record")} added, ${removed.toLocaleString("en")} removed, ${changed.toLocaleString("en")} changed`);
    for (const loss of lossesOf(difference)) print(`  ${loss}`);
    if (newBranches.length > 0) print(`  new: ${branchesText(newBranches)}`);
    if (goneBranches.length > 0) print(`  gone: ${branchesText(goneBranches)}`);
    print(`  delivery zones: ${zones ? `${zones.before} → ${zones.after}` : "the same"}`);
    if (largest.length > 0) print("\nThe largest price changes:");
    for (const { branchId, cprcode, before: from, after, percent } of largest) {
      print(`  ${`${cprcode}`.padStart(12)} at ${branchId}: ${from} → ${after} THB (${signed(percent)})`);
    }
  }

  /**
   * @param {Difference} difference
   * @param {Limits} limits
   */
  #printExcesses(difference, limits) {
    const excess = excesses(difference, limits);
    for (const sentence of excess) this.#console.error(this.#colours.red(sentence));
    return excess.length === 0 ? 0 : 1;
  }

  /**
   * Who runs the command, and why.
   * @param {{ note?: string }} options
   */
  async #whyOf({ note = "" }) {
    return { by: await actor(this.#surroundings.env), note: plain(note) || undefined };
  }

  /**
   * @param {PushOptions} options
   * @param {string} folder
   */
  push({ again, ...options }, folder) {
    /** @param {Store} store */
    const run = async (store) => {
      const why = await this.#whyOf(options);
      const { id, wasPublished, uploaded, there } = await pushVersion(store, folder, this.#report, { again, ...why, now: this.#now });
      const done = `is published${wasPublished && uploaded === 0 ? " already" : ""} ${where(options)}`;
      const rest = there === 0 ? "" : `, ${there.toLocaleString("en")} there already`;
      this.#console.log(`${this.#colours.bold(id)} ${done}: ${count(uploaded, "text")} uploaded${rest}`);
      this.#console.log(`\nNext: npm run data -- activate ${id}${suffix(options)}`);
    };
    return this.#withStore(options, run, { mustExist: false });
  }

  /**
   * @param {ActivateOptions} options
   * @param {string} id not with `cancel`
   */
  async activate(options, id) {
    await refuseOverwriting("--html", options.html, [...storeFolders(options), options.captures]);
    return this.#withStore(options, (store) => (options.cancel ? this.#cancelPlan(store, options) : this.#switchTo(store, options, id)));
  }

  /**
   * @param {Store} store
   * @param {ActivateOptions} options
   */
  async #cancelPlan(store, options) {
    const { id, at, inUse } = await cancel(store, await this.#whyOf(options), this.#now);
    this.#console.log(`The plan of ${this.#colours.bold(id)} for ${moment(at)} is taken back: ${inUse} stays in use ${where(options)}`);
  }

  /**
   * @param {Store} store
   * @param {ActivateOptions} options
   * @param {string} id
   */
  async #switchTo(store, { at, force, ...options }, id) {
    const bar = this.#terminal.lateBar("Checking");
    /**
     * @param {Manifest} manifest
     * @param {Used | undefined} current
     */
    const check = async (manifest, current) => {
      bar.stop(); // what follows has bars of its own
      // Both are asked, so that none hides the other.
      const faults = [
        await this.#limitFault(store, manifest, current, { force, ...options }),
        await this.#impactFault(store, id, options),
      ].filter(Boolean);
      if (faults.length > 0) throw new Fault(`${id} was not ${at === undefined ? "activated" : "planned"}: ${faults.join("; ")}`);
    };
    const why = await this.#whyOf(options);
    const switching = activateVersion(
      store,
      id,
      { at, isFolder: options.dir !== undefined, force, check, onProgress: bar.onProgress, ...why },
      this.#now,
    );
    const { isChanged, before, dropped } = await switching.finally(bar.stop);
    this.#console.log(switchSentence({ id: this.#colours.bold(id), at, isChanged, before }, options));
    this.#printDropped(dropped);
  }

  /**
   * What a version changes beyond the limits: shown also where force passes it.
   * @param {Store} store
   * @param {Manifest} manifest
   * @param {Used | undefined} current
   * @param {Limits & { force?: boolean }} options
   */
  async #limitFault(store, manifest, current, { force, ...limits }) {
    const whole = isWhole(current) ? current : undefined;
    if (force && !whole) return undefined; // orders fail meanwhile
    const difference = await this.#differenceTo(whole, manifest, store, limits).catch((error) => {
      if (!force) throw error;
    });
    if (!difference) return undefined;
    const excess = excesses(difference, limits);
    if (excess.length === 0) {
      this.#printLosses(difference);
      return undefined;
    }
    this.#printDifference(manifest, difference);
    if (!force) return `${excess.join("; ")}; --force passes the limits`;
    this.#console.log(`${this.#colours.yellow("forced")} ${excess.join("; ")}\n`);
    return undefined;
  }

  /**
   * What records lose within the limits is said, too: nothing else would show it.
   * @param {Difference} difference
   */
  #printLosses(difference) {
    for (const loss of lossesOf(difference)) this.#console.log(`${this.#colours.yellow("note")} ${loss}`);
  }

  /**
   * Of a version that moves more of the captured money than it may. Force passes nothing here.
   * @param {Store} store
   * @param {string} id
   * @param {OfImpact} options
   */
  async #impactFault(store, id, { maxImpact, captures, html }) {
    if (maxImpact === undefined || captures === undefined) return undefined; // both, or none
    try {
      await refuseImpact(store, id, { maxImpact, captures, html }, this.#surroundings);
      return undefined;
    } catch (error) {
      if (error instanceof Fault) return error.message;
      throw error;
    }
  }

  /** @param {import("./versions/version.js").Next | undefined} plan */
  #printDropped(plan) {
    if (plan) this.#console.log(`${this.#colours.yellow("note")} ${plan.id} is not planned for ${moment(plan.at)} any more`);
  }

  /** @param {StoreOptions & { note?: string }} options */
  rollback(options) {
    return this.#withStore(options, async (store) => {
      const { id, before, dropped } = await rollBack(store, await this.#whyOf(options), this.#now);
      this.#console.log(`${this.#colours.bold(id)} is in use again ${where(options)}, in place of ${before}`);
      this.#printDropped(dropped);
    });
  }

  /** @param {StoreOptions & { history?: boolean }} options */
  status(options) {
    return this.#withStore(options, async (store) => {
      const lines = options.history ? history(store, this.#now()) : await readStatus(store, this.#now());
      for await (const line of lines) this.#console.log(line);
    });
  }

  /** @param {StoreOptions & { keep: number, dryRun?: boolean }} options */
  gc({ keep, dryRun, ...options }) {
    return this.#withStore(options, async (store) => {
      const line = this.#terminal.counter(
        (looked, deleted) => `${count(looked, "text")} looked at, ${deleted.toLocaleString("en")} deleted`,
      );
      const collected = await collect(store, { keep, dryRun, onProgress: line.update }, this.#now).finally(line.stop);
      this.#printCollected(collected, dryRun);
    });
  }

  /**
   * @param {import("./versions/gc.js").Collected} collected
   * @param {boolean} [isDry]
   */
  #printCollected({ kept, pushes, deleted, givenUp, texts, textsKept }, isDry) {
    /** @param {string} line */
    const print = (line) => this.#console.log(line);
    const { bold } = this.#colours;
    for (const { id, pushedAt, reasons } of kept) print(`${bold(id)} of ${moment(pushedAt)} stays: ${reasons.join("; ")}`);
    for (const { id, startedAt } of pushes) print(`${bold(id)} is being pushed since ${moment(startedAt)}`);
    for (const id of deleted) print(`${id} ${isDry ? "would go" : "is deleted"}`);
    for (const id of givenUp) print(`${id}: its push of more than 7 days ago ${isDry ? "would be" : "is"} given up`);
    if (isDry) return;
    const versions = deleted.length === 0 ? "No version" : count(deleted.length, "version");
    print(`${versions} and ${count(texts, "text")} deleted; ${count(kept.length, "version")} and ${count(textsKept, "text")} stay`);
  }
}

/** @param {Manifest} version */
function zonesSentence({ zones, zonesFrom, keepsZones }) {
  if (zones === null) return keepsZones ? "no delivery zones: none are in use that could stay (--zones, --no-zones)" : "no delivery zones";
  return zonesFrom === null ? "delivery zones of the file" : `delivery zones of ${zonesFrom}, which is in use`;
}

/** @param {number} percent */
const signed = (percent) => (percent === Infinity ? "from nothing" : `${percent > 0 ? "+" : ""}${percent.toLocaleString("en")}%`);

/**
 * @param {Pick<import("./versions/activate.js").Switched, "id" | "isChanged" | "before"> & { at?: string }} switched
 * @param {StoreOptions} options
 */
function switchSentence({ id, at, isChanged, before }, options) {
  if (!isChanged) return `${id} is in use already ${where(options)}`;
  const place = before === undefined ? "" : `, in place of ${before}`;
  return at === undefined ? `${id} is in use ${where(options)}${place}` : `${id} is planned for ${moment(at)} ${where(options)}${place}`;
}

/**
 * Whether a folder has nothing to compare with. The other stores take seconds to say so, and compare also then.
 * @param {StoreOptions} options
 */
const isEmpty = ({ dir }) => dir !== undefined && !existsSync(fileOf(dir, CURRENT_KEY));

/**
 * Which store it was.
 * @param {StoreOptions} options
 */
function where({ dir, remote, env }) {
  if (dir !== undefined) return `in ${dir}`;
  return remote ? `in ${env}` : "on this machine";
}

/**
 * The options that the next command needs, too.
 * @param {StoreOptions} options
 */
function suffix({ dir, remote, env, persistTo }) {
  if (dir !== undefined) return ` --dir ${dir}`;
  if (remote) return ` --remote --env ${env}`;
  return persistTo === undefined ? "" : ` --persist-to ${persistTo}`;
}
