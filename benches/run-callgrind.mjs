// Counts the instructions of the native core. The count is the same on a noisy machine, so a regression shows.
//   node benches/run-callgrind.mjs <native program> <work folder> <result file>
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const SETS = ["20", "200", "1000"];
const ORDERS = 8;

const [program, workFolder, resultFile] = process.argv.slice(2);

/** Instructions of a run that prices this many orders; undefined without valgrind. */
function count(set, orders) {
  const options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", program, workFolder, set, `${orders}`];
  const { error, status, stderr } = spawnSync("valgrind", options, { encoding: "utf8" });
  if (error && "code" in error && error.code === "ENOENT") return undefined;
  const collected = /Collected : (\d+)/.exec(stderr)?.[1];
  if (error || status !== 0 || !collected) throw new Error(`valgrind failed: ${error ?? stderr}`);
  return Number(collected);
}

/** The instructions of one more order: both runs include reading the work. */
function perOrder(set) {
  console.log(`${set} lines`);
  const [first, all] = [count(set, 1), count(set, 1 + ORDERS)];
  return first && all && Math.round((all - first) / ORDERS);
}

const counts = Object.fromEntries(SETS.map((set) => [set, perOrder(set)]));
const result = counts[SETS[0]] === undefined ? { unavailable: "valgrind is not on the PATH" } : { counts };
writeFileSync(resultFile, JSON.stringify(result));
