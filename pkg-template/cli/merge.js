// `order-cost merge`
import { Failure } from "./files/index.js";
import { IMPACT } from "./impact/index.js";
import { showImpact } from "./impact/shown/index.js";
import { REPLAY, showReplay } from "./report/index.js";
import { refuseOverwriting } from "./screen/index.js";
import { sumOf, writeTally } from "./tally/index.js";

/**
 * How a sum is shown, and the options that only its report has.
 * @type {{ kind: Kind, show: (sum: Counted, names: string[], options: any, terminal: Terminal) => Promise<number>, own: Record<string, string> }[]}
 */
const SHOWN = [
  { kind: IMPACT, show: showImpact, own: { maxImpact: "--max-impact", html: "--html", at: "--at" } },
  { kind: REPLAY, show: showReplay, own: { maxDifferent: "--max-different" } },
];

/**
 * @typedef {import("./screen/terminal.js").Terminal} Terminal
 * @typedef {import("./tally/tally-file.js").Kind} Kind
 * @typedef {import("./tally/tally-file.js").Counted} Counted
 */

/** Adds tallies and reports their sum, or writes it with `tally`. Returns the exit code. */
export async function merge(names, { tally, ...options }, terminal) {
  for (const output of [options.html, tally]) await refuseOverwriting(output, names);
  const kinds = SHOWN.map(({ kind }) => kind);
  const sum = await sumOf(names, kinds);
  for (const { kind, own } of SHOWN) {
    const given = Object.keys(own).find((name) => options[name] !== undefined);
    if (kind !== sum.kind && given)
      throw new Failure(`${own[given]}: expected tallies of ${kind.name}, ${names[0]} is one of ${sum.kind.name}`);
  }
  const [{ show }] = SHOWN.filter(({ kind }) => kind === sum.kind);
  if (tally === undefined) return show(sum, names, options, terminal);
  await writeTally(tally, sum);
  return 0;
}
