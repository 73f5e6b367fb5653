// Tallies of captures that are split and merged at random.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import fc from "../property.js";
import { file, path, run } from "./command.js";

mkdirSync(path("captures"), { recursive: true });
mkdirSync(path("tallies"));

export const captures = (name, texts) => file(`captures/${name}`, texts.map((text) => `${text}\n`).join(""));

export const content = (name) => readFileSync(path(name), "utf8");

export async function succeed(...args) {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return stdout;
}

/** Writes the tally of captures, and returns its name. `command` has its options. */
export async function tallyOf(name, names, [command, ...options]) {
  assert.equal(await succeed(command, ...names, ...options, "--tally", `tallies/${name}`), "");
  return `tallies/${name}`;
}

/** Splits lines into files, some of them empty, and these among up to six runs: the names that each one has. */
export function split(draw, name, lines) {
  const runs = Array.from({ length: draw(fc.integer, { min: 1, max: 6 }) }, () => []);
  const parts = runs.flatMap((names, index) => [0, 1].map((part) => ({ names, name: `${name}-${index}-${part}.ndjson`, texts: [] })));
  for (const line of lines) parts[draw(fc.nat, parts.length - 1)].texts.push(line);
  for (const part of parts) part.names.push(captures(part.name, part.texts));
  return runs;
}

export async function talliesOf(runs, name, command) {
  const tallies = [];
  for (const [index, names] of runs.entries()) tallies.push(await tallyOf(`${name}-${index}`, names, command));
  return tallies;
}

/** Merges some of the tallies, and some of those, in any order. */
export async function grouped(draw, tallies, name) {
  const waiting = [...tallies];
  const take = () => waiting.splice(draw(fc.nat, waiting.length - 1), 1);
  for (let count = draw(fc.nat, waiting.length); count > 0; count -= 1) {
    const some = Array.from({ length: draw(fc.integer, { min: 1, max: waiting.length }) }, take).flat();
    await succeed("merge", ...some, "--tally", `tallies/${name}-${count}`);
    waiting.push(`tallies/${name}-${count}`);
  }
  return Array.from({ length: waiting.length }, take).flat();
}
