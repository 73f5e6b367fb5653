// `order-cost merge`
import { IMPACT } from "./impact/index.js";
import { showImpact } from "./impact/shown/index.js";
import { refuseOverwriting } from "./screen/index.js";
import { sumOf, writeTally } from "./tally/index.js";

/** Adds tallies and reports their sum, or writes it with `tally`. Returns the exit code. */
export async function merge(names, { tally, html, maxImpact, format, at }, terminal) {
  for (const output of [html, tally]) await refuseOverwriting(output, names);
  const sum = await sumOf(names, [IMPACT]);
  if (tally === undefined) return showImpact(sum, names, { html, maxImpact, format, at }, terminal);
  await writeTally(tally, sum);
  return 0;
}
