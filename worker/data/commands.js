// The commands, from their options to what they print. Each returns its exit code, where that is not 0.
import { fileURLToPath } from "node:url";
import picocolors from "picocolors";
import { activate as activateVersion, cancel, isWhole, rollback as rollBack } from "./activate.js";
import { actor, plain } from "./actor.js";
import { build as buildVersion } from "./build.js";
import { count, megabytes, moment, some } from "./count.js";
import { compare, excesses } from "./diff.js";
import { gc as collect } from "./gc.js";
import { Fault } from "./fault.js";
import { refuseImpact } from "./impact.js";
import { counter, progressBar } from "./progress.js";
import { push as pushVersion } from "./push.js";
import { history, status as readStatus } from "./status.js";
import { openStore } from "./store.js";
import { folderBefore, readCurrent, readManifest, recordCount } from "./version.js";

/**
 * Ids are copied and piped: no colour codes but on a terminal, whatever CI says. picocolors reads NO_COLOR and --no-color;
 * npm keeps a --no-color before `--` for itself.
 */
const pc = picocolors.createColors(process.stdout.isTTY === true && picocolors.isColorSupported && process.env.npm_config_color !== "");

/** What builds have read and written, so that the next one need not read it again. */
const CACHE = fileURLToPath(new URL("../.wrangler/catalogue", import.meta.url));

export async function build(options) {
  const stores = [];
  const open = async () => {
    const store = await openStore(options);
    stores.push(store);
    return store;
  };
  let faults = 0;
  const notices = [];
  const report = {
    fault(text) {
      faults += 1;
      console.error(text);
    },
    notice: (text) => notices.push(text),
    progress: progressBar,
  };
  try {
    // A folder is read as fast as the cache, which belongs to another store.
    const cache = options.cacheDir ?? (options.dir === undefined ? CACHE : undefined);
    const settings = { ...options, cache, zones: options.zones || undefined, noZones: options.zones === false };
    const built = await buildVersion(settings, open, report);
    for (const notice of notices) console.error(`${pc.yellow("note")} ${notice}`);
    if (!built) {
      console.error(`\n${pc.red(count(faults, "fault"))}: nothing was written`);
      return 1;
    }
    printBuilt(built, options);
  } finally {
    for (const store of stores) await store.close();
  }
}

function printBuilt({ manifest, written, merged }, { out, ...options }) {
  const { id, onto, zones, zonesFrom, bases, branches } = manifest;
  const shared = Object.keys(bases).length;
  console.log(`${pc.bold(id)}${onto === null ? "" : `, built onto ${onto}`}`);
  console.log(`  ${count(recordCount(manifest), "record")} in ${count(Object.keys(branches).length, "branch")}${shared > 0 ? `, on ${count(shared, "base")}` : ""}`);
  console.log(`  written: ${count(written.texts, "text")}, ${megabytes(written.bytes)}`);
  const merges = [count(merged.bases, "base"), count(merged.branches, "branch")].filter((text) => !text.startsWith("0 "));
  if (merges.length > 0) console.log(`  merged: ${merges.join(", ")}`);
  console.log(`  ${zonesSentence(zones, zonesFrom)}`);
  console.log(`\nNext: npm run data -- diff ${out}${suffix(options)}`);
}

function zonesSentence(zones, zonesFrom) {
  if (zones === null) return "no delivery zones";
  return zonesFrom === null ? "delivery zones of the file" : `delivery zones of ${zonesFrom}, which is in use`;
}

export const diff = withStore(async (store, options, folder) => {
  const manifest = await readManifest(folder);
  const difference = await differenceTo(await readCurrent(store), manifest, folderBefore(folder, store), options);
  printDifference(manifest, difference);
  return printExcesses(difference, options);
});

/** What a version changes about the one in use. */
async function differenceTo(current, version, texts, { maxChange }) {
  const bar = barOf("Comparing");
  try {
    return await compare(current, version, texts, { maxChange, onProgress: bar.onProgress });
  } finally {
    bar.stop();
  }
}

/** A bar that begins when the total is known. */
function barOf(what) {
  let bar;
  return { onProgress: (done, total) => (bar ??= progressBar(what, total)).update(done), stop: () => bar?.stop() };
}

function printDifference({ id }, { before, added, removed, changed, largest, newBranches, goneBranches, zones }) {
  console.log(before === 0 ? `${pc.bold(id)}: nothing is in use yet` : `${pc.bold(id)}, against ${count(before, "record")} in use`);
  console.log(`  ${count(added, "record")} added, ${removed.toLocaleString("en")} removed, ${changed.toLocaleString("en")} changed`);
  if (newBranches.length > 0) console.log(`  new: ${branchesText(newBranches)}`);
  if (goneBranches.length > 0) console.log(`  gone: ${branchesText(goneBranches)}`);
  console.log(`  delivery zones: ${zones ? `${zones.before} → ${zones.after}` : "the same"}`);
  if (largest.length > 0) console.log("\nThe largest price changes:");
  for (const { branchId, cprcode, before: from, after, percent } of largest) {
    console.log(`  ${`${cprcode}`.padStart(12)} at ${branchId}: ${from} → ${after} THB (${signed(percent)})`);
  }
}

const branchesText = (ids) => `branch${ids.length === 1 ? "" : "es"} ${some(ids)}`;

const signed = (percent) => (percent === Infinity ? "from nothing" : `${percent > 0 ? "+" : ""}${percent.toLocaleString("en")}%`);

function printExcesses(difference, limits) {
  const excess = excesses(difference, limits);
  for (const sentence of excess) console.error(pc.red(sentence));
  return excess.length === 0 ? 0 : 1;
}

/** A folder that is not there has no versions; only `push` may begin one. */
function withStore(run, { mustExist = true } = {}) {
  return async (options, argument) => {
    const store = await openStore({ ...options, mustExist });
    try {
      return await run(store, options, argument);
    } finally {
      await store.close();
    }
  };
}

/** Who runs the command, and why. */
const whyOf = async ({ note = "" }) => ({ by: await actor(), note: plain(note) || undefined });

export const push = withStore(async (store, { again, ...options }, folder) => {
  const why = await whyOf(options);
  const { id, wasPublished, uploaded, there } = await pushVersion(store, folder, { progress: progressBar }, { again, ...why });
  const done = `is published${wasPublished && uploaded === 0 ? " already" : ""} ${where(options)}`;
  const rest = there === 0 ? "" : `, ${there.toLocaleString("en")} there already`;
  console.log(`${pc.bold(id)} ${done}: ${count(uploaded, "text")} uploaded${rest}`);
  console.log(`\nNext: npm run data -- activate ${id}${suffix(options)}`);
}, { mustExist: false });

export const activate = withStore((store, options, id) => (options.cancel ? cancelPlan(store, options) : switchTo(store, options, id)));

async function cancelPlan(store, options) {
  const { id, at, inUse } = await cancel(store, await whyOf(options));
  console.log(`The plan of ${pc.bold(id)} for ${moment(at)} is taken back: ${inUse} stays in use ${where(options)}`);
}

async function switchTo(store, { at, force, ...options }, id) {
  const bar = barOf("Checking");
  const check = async (manifest, current) => {
    bar.stop(); // what follows has bars of its own
    // Both are asked, so that none hides the other.
    const faults = [await limitFault(store, manifest, current, { force, ...options }), await impactFault(store, id, options)].filter(Boolean);
    if (faults.length > 0) throw new Fault(`${id} was not ${at === undefined ? "activated" : "planned"}: ${faults.join("; ")}`);
  };
  const switching = activateVersion(store, id, { at, force, check, onProgress: bar.onProgress, ...(await whyOf(options)) });
  const { isChanged, before, dropped } = await switching.finally(bar.stop);
  console.log(switchSentence({ id: pc.bold(id), at, isChanged, before }, options));
  printDropped(dropped);
}

/** What a version changes beyond the limits: shown also where force passes it. */
async function limitFault(store, manifest, current, { force, ...limits }) {
  if (force && !isWhole(current)) return undefined; // orders fail meanwhile
  const difference = await differenceTo(current, manifest, store, limits).catch((error) => {
    if (!force) throw error;
  });
  const excess = difference ? excesses(difference, limits) : [];
  if (excess.length === 0) return undefined;
  printDifference(manifest, difference);
  if (!force) return `${excess.join("; ")}; --force passes the limits`;
  console.log(`${pc.yellow("forced")} ${excess.join("; ")}\n`);
  return undefined;
}

/** Of a version that moves more of the captured money than it may. Force passes nothing here. */
async function impactFault(store, id, options) {
  if (options.maxImpact === undefined) return undefined;
  try {
    await refuseImpact(store, id, options);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function switchSentence({ id, at, isChanged, before }, options) {
  if (!isChanged) return `${id} is in use already ${where(options)}`;
  const place = before === undefined ? "" : `, in place of ${before}`;
  return at === undefined ? `${id} is in use ${where(options)}${place}` : `${id} is planned for ${moment(at)} ${where(options)}${place}`;
}

function printDropped(plan) {
  if (plan) console.log(`${pc.yellow("note")} ${plan.id} is not planned for ${moment(plan.at)} any more`);
}

export const rollback = withStore(async (store, options) => {
  const { id, before, dropped } = await rollBack(store, await whyOf(options));
  console.log(`${pc.bold(id)} is in use again ${where(options)}, in place of ${before}`);
  printDropped(dropped);
});

export const status = withStore(async (store, options) => {
  const lines = options.history ? history(store) : await readStatus(store);
  for await (const line of lines) console.log(line);
});

export const gc = withStore(async (store, { keep, dryRun }) => {
  const line = counter((looked, deleted) => `${count(looked, "text")} looked at, ${deleted.toLocaleString("en")} deleted`);
  const { kept, pushes, deleted, givenUp, texts, textsKept } = await collect(store, { keep, dryRun, onProgress: line.update }).finally(line.stop);
  for (const { id, pushedAt, reasons } of kept) console.log(`${pc.bold(id)} of ${moment(pushedAt)} stays: ${reasons.join("; ")}`);
  for (const { id, startedAt } of pushes) console.log(`${pc.bold(id)} is being pushed since ${moment(startedAt)}`);
  for (const id of deleted) console.log(`${id} ${dryRun ? "would go" : "is deleted"}`);
  for (const id of givenUp) console.log(`${id}: its push of more than 7 days ago ${dryRun ? "would be" : "is"} given up`);
  if (dryRun) return;
  const versions = deleted.length === 0 ? "No version" : count(deleted.length, "version");
  console.log(`${versions} and ${count(texts, "text")} deleted; ${count(kept.length, "version")} and ${count(textsKept, "text")} stay`);
});

/** Which store it was. */
function where({ dir, remote, env }) {
  if (dir !== undefined) return `in ${dir}`;
  return remote ? `in ${env}` : "on this machine";
}

/** The options that the next command needs, too. */
function suffix({ dir, remote, env, persistTo }) {
  if (dir !== undefined) return ` --dir ${dir}`;
  if (remote) return ` --remote --env ${env}`;
  return persistTo === undefined ? "" : ` --persist-to ${persistTo}`;
}
