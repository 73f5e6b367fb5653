// The commands, from their options to what they print. Each returns its exit code, where that is not 0.
import picocolors from "picocolors";
import { activate as activateVersion, rollback as rollBack } from "./activate.js";
import { build as buildVersion } from "./build.js";
import { count, megabytes, some } from "./count.js";
import { compare, excesses } from "./diff.js";
import { gc as collect } from "./gc.js";
import { Fault } from "./fault.js";
import { progressBar } from "./progress.js";
import { push as pushVersion } from "./push.js";
import { status as readStatus } from "./status.js";
import { openStore } from "./store.js";
import { folderBefore, readCurrent, readManifest, withLists } from "./version.js";

/** Ids are copied and piped: no colour codes but on a terminal, whatever CI says. */
const pc = picocolors.createColors(process.stdout.isTTY === true && !process.env.NO_COLOR);

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
    const settings = { ...options, zones: options.zones || undefined, noZones: options.zones === false };
    const manifest = await buildVersion(settings, open, report);
    for (const notice of notices) console.error(`${pc.yellow("note")} ${notice}`);
    if (!manifest) {
      console.error(`\n${pc.red(count(faults, "fault"))}: nothing was written`);
      return 1;
    }
    printBuilt(manifest, options);
  } finally {
    for (const store of stores) await store.close();
  }
}

function printBuilt({ id, onto, zones, zonesFrom, branches }, { out, ...options }) {
  const all = Object.values(branches);
  const sum = (key) => all.reduce((total, branch) => total + branch[key], 0);
  console.log(`${pc.bold(id)}${onto === null ? "" : `, built onto ${onto}`}`);
  console.log(`  ${count(sum("records"), "record")} in ${count(all.length, "branch")}`);
  console.log(`  ${count(sum("shardCount"), "shard")}, ${megabytes(sum("bytes"))}`);
  console.log(`  ${zonesSentence(zones, zonesFrom)}`);
  console.log(`\nNext: npm run data -- diff ${out}${suffix(options)}`);
}

function zonesSentence(zones, zonesFrom) {
  if (zones === null) return "no delivery zones";
  return zonesFrom === null ? "delivery zones of the file" : `delivery zones of ${zonesFrom}, which is in use`;
}

export const diff = withStore(async (store, options, folder) => {
  const manifest = await readManifest(folder);
  const texts = folderBefore(folder, store);
  const difference = await differenceTo(store, await withLists(manifest, texts), texts, options);
  printDifference(manifest, difference);
  return printExcesses(difference, options);
});

/** What a version changes about the one in use. */
async function differenceTo(store, version, texts, { maxChange }) {
  const current = await readCurrent(store);
  let bar;
  try {
    const onProgress = (done, total) => (bar ??= progressBar("Comparing", total)).update(done);
    return await compare(current && (await withLists(current, store)), version, texts, { maxChange, onProgress });
  } finally {
    bar?.stop();
  }
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

function withStore(run) {
  return async (options, argument) => {
    const store = await openStore(options);
    try {
      return await run(store, options, argument);
    } finally {
      await store.close();
    }
  };
}

export const push = withStore(async (store, { again, ...options }, folder) => {
  const { id, wasPublished, named, uploaded } = await pushVersion(store, folder, { progress: progressBar }, { again });
  const done = `is published${wasPublished && uploaded === 0 ? " already" : ""} ${where(options)}`;
  const there = named - uploaded === 0 ? "" : `, ${(named - uploaded).toLocaleString("en")} there already`;
  console.log(`${pc.bold(id)} ${done}: ${count(uploaded, "text")} uploaded${there}`);
  console.log(`\nNext: npm run data -- activate ${id}${suffix(options)}`);
});

export const activate = withStore(async (store, { force, ...options }, id) => {
  const check = async (manifest) => {
    const difference = await differenceTo(store, await withLists(manifest, store), store, options);
    const excess = excesses(difference, options);
    if (excess.length === 0) return;
    printDifference(manifest, difference);
    throw new Fault(`${id} was not activated: ${excess.join("; ")}; --force activates it nevertheless`);
  };
  const { isChanged, before } = await activateVersion(store, id, { force, check });
  if (!isChanged) console.log(`${pc.bold(id)} is in use already ${where(options)}`);
  else console.log(`${pc.bold(id)} is in use ${where(options)}${before === undefined ? "" : `, in place of ${before}`}`);
});

export const rollback = withStore(async (store, options) => {
  const { id, before } = await rollBack(store);
  console.log(`${pc.bold(id)} is in use again ${where(options)}, in place of ${before}`);
});

export const status = withStore(async (store) => {
  for (const line of await readStatus(store)) console.log(line);
});

export const gc = withStore(async (store, options) => {
  const { kept, deleted, texts, textsKept, pushes } = await collect(store, options);
  const versions = deleted.length === 0 ? "No version" : `${count(deleted.length, "version")} (${deleted.join(", ")})`;
  console.log(`${versions} and ${count(texts, "text")} deleted; ${count(kept.length, "version")} and ${count(textsKept, "text")} stay`);
  if (pushes > 0) console.log(`${count(pushes, "push")} of more than 7 days ago given up`);
});

/** Which store it was. */
const where = ({ remote, env }) => (remote ? `in ${env}` : "on this machine");

/** The options that the next command needs, too. */
function suffix({ remote, env, persistTo }) {
  if (remote) return ` --remote --env ${env}`;
  return persistTo === undefined ? "" : ` --persist-to ${persistTo}`;
}
