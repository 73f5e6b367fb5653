// The score of each file, and the mutants that no test notices.
import { readFileSync } from "node:fs";

/** The files of which the tests must notice 90 %. */
const BAR = 0.9;
const BARRED = [
  "basket/basket-model",
  "basket/settling",
  "core/calculation",
  "core/conversation",
  "core/host",
  "http/node-listener",
  "http/worker",
  "pricer/zones",
].map((name) => `pkg-template/${name}.js`);

/** The mutants that may survive, each with its reason. They do not count. */
const KNOWN = JSON.parse(readFileSync(new URL("survivors.json", import.meta.url), "utf8"));

const isOf = (known, { file, line, change }) => known.file === file && known.line === line && known.mutant === change;
const isKnown = (mutant) => KNOWN.some((known) => isOf(known, mutant));

/** Throws if one of the mutants that may survive is none of these: its line has changed. */
export function checkKnown(mutants) {
  const dead = KNOWN.filter((known) => !mutants.some((mutant) => isOf(known, mutant)));
  if (dead.length > 0) throw new Error(`survivors.json: no such mutant\n${dead.map((known) => JSON.stringify(known)).join("\n")}`);
}

/**
 * Prints the survivors and a line for each file. Returns whether every file has reached its bar.
 *
 * @param {{ file: string, place: string, line: string, change: string, killer: string | undefined, ms: number }[]} judged
 */
export function printScore(judged) {
  for (const { place, change, killer } of judged.filter((mutant) => isSurvivor(mutant) && !isKnown(mutant))) {
    console.log(`${place} ${change}${killer === undefined ? " (no test reaches it)" : ""}`);
  }
  const files = [...new Set(judged.map(({ file }) => file))].sort();
  const rows = files.map((file) =>
    scored(
      file,
      judged.filter((mutant) => mutant.file === file),
    ),
  );
  console.log(`\n${"file".padEnd(34)}${["mutants", "known", "survived", "score", "bar", "time"].map((head) => head.padStart(9)).join("")}`);
  for (const row of [...rows, scored("all", judged)]) {
    const cells = [row.all, row.known, row.survived, percent(row.score), row.bar ? percent(row.bar) : "", `${Math.round(row.ms / 1000)} s`];
    console.log(`${row.name.padEnd(34)}${cells.map((cell) => `${cell}`.padStart(9)).join("")}`);
  }
  const under = rows.filter(({ score, bar }) => bar && score < bar);
  for (const { name, score, bar } of under)
    console.log(`\n${name}: the tests notice ${percent(score)} of the mutants, expected ${percent(bar)}`);
  return under.length === 0;
}

const isSurvivor = ({ killer }) => !killer;

function scored(name, mutants) {
  const known = mutants.filter((mutant) => isSurvivor(mutant) && isKnown(mutant)).length;
  const survived = mutants.filter(isSurvivor).length - known;
  const counted = mutants.length - known;
  return {
    name,
    all: mutants.length,
    known,
    survived,
    score: counted === 0 ? 1 : 1 - survived / counted,
    bar: BARRED.includes(name) ? BAR : undefined,
    ms: mutants.reduce((ms, mutant) => ms + mutant.ms, 0),
  };
}

// Rounded down: 90 % is 90 %.
const percent = (share) => `${(Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)} %`;
