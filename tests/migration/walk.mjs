// The long form of the walk, for people: `cargo xtask test --night migration`. Prints `progress <done>/<all>` while it runs, then what it
// found. Fails if a check does.
//   node tests/migration/walk.mjs <orders> <an empty folder>
import { spawnSync } from "node:child_process";
import { join, relative } from "node:path";
import { CLI, checks, walk } from "./walk.js";

const [orders, folder] = [Number(process.argv[2]), process.argv[3]];
const PHASES = ["plan", "compare", "switch and back"];

/** Of a report: how much, and why. */
const MOST_PARTS = 2;

const found = await walk({ orders, folder, progress });
const rows = checks(found);

heading("Planted in the old service: one difference in every second order");
for (const { name, decision, orders: count, atStake, what } of found.watched.planted) {
  console.log(`${figure(count)}  ${thb(atStake)}  ${(decision ?? "-").padEnd(4)}  ${name.padEnd(19)} ${what}`);
}
heading("Seen by the shadow Worker, at a share of 1");
for (const [outcome, count] of Object.entries(found.watched.outcomes)) console.log(`${figure(count)}  ${outcome}`);

const captures = relative(process.cwd(), join(folder, "captures"));
shown(["replay", captures]);
shown(["replay", captures, "--against", "legacy"]);

heading("Checked");
for (const { holds, what, figure: value } of rows) console.log(`${holds ? "ok    " : "FAILED"}${figure(value)}  ${what}`);
for (const fault of [...found.watched.faults, ...found.watched.wrongLines, ...found.switched.faults].slice(0, 3)) {
  console.log(`\n${JSON.stringify(fault, null, 2)}`);
}
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

function progress(phase, done, all) {
  if (done % 100 === 0 || done === all) console.log(`progress ${PHASES.indexOf(phase) * all + done}/${PHASES.length * all}`);
}

/** What an operator does, and sees. */
function shown(args) {
  heading(`$ order-cost ${args.join(" ")}`);
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8", maxBuffer: 2 ** 30 });
  const parts = stdout.split("\n\n");
  console.log(`${parts.slice(0, MOST_PARTS).join("\n\n")}${stderr}`.trimEnd());
  if (parts.length > MOST_PARTS) console.log("\n… and the fields, the worst differences and the orders that differ");
}

function heading(text) {
  console.log(`\n${text}\n`);
}

function figure(value) {
  return value.toLocaleString("en").padStart(8);
}

/** An amount for people, without the noise of doubles. */
function thb(amount) {
  return `${Number(amount).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 3 }).padStart(12)} THB`;
}
