// `order-cost verify`
import { readExact } from "../exact-json.js";
import { readAccepted } from "./accepted.js";
import { comparePair } from "./compare-pair.js";
import { Failure, placed } from "./failure.js";
import { failureText, hasFailed } from "./failed-answer.js";
import { Findings } from "./findings.js";
import { withIds } from "./ids.js";
import { Ignored } from "./ignored.js";
import { refuseOverwriting } from "./output.js";
import { PairsByKey } from "./pairing/by-key.js";
import { PairsByPosition } from "./pairing/by-position.js";
import { progress } from "./progress.js";
import { printReport, warn } from "./report.js";
import { isWithin, limitSentence } from "./share.js";

/** Compares the responses of two files. Returns the exit code. */
export async function verify(left, right, { key, matchRows, accept, ids, maxDifferent, format, examples, ...options }) {
  if (left === "-" && right === "-") throw new Failure("only one side can be standard input");
  await refuseOverwriting(ids, [left, right, accept].filter(Boolean));
  const accepted = accept && (await readAccepted(accept));
  const ignored = new Ignored(options.ignore, options.ignorePath);
  const findings = new Findings({ ignored, accepted, examples });
  const pairs = key === undefined ? await PairsByPosition.open([left, right]) : await PairsByKey.open([left, right], key);
  await withIds(ids, async (write) => {
    const bar = progress(pairs, { isQuiet: false });
    try {
      for await (const pair of pairs) {
        if (pair && addPair(findings, pair, matchRows)) await write(pair.id);
        bar.update(findings.orders);
      }
    } finally {
      bar.stop();
    }
    if (findings.orders === 0) throw new Failure(`${left} and ${right}: no responses in them`);
  });
  warn([pairs.doubt, ...ignored.unused()].filter(Boolean));
  const { differing, notListed, ...found } = findings.report(); // `--ids` has all of them
  const report = { left, right, alignment: pairs.fault ?? null, limit: limitSentence(found, maxDifferent), matchRows: matchRows ?? null, ...found };
  await printReport(report, format);
  return isWithin(report, maxDifferent) ? 0 : 1;
}

/** Returns whether the pair counts as different. */
function addPair(findings, pair, matchRows) {
  const sides = [pair.left, pair.right].filter(Boolean);
  return placed(sides.map(({ place }) => place).join(", "), () => addSides(findings, pair, matchRows));
}

function addSides(findings, { id, left, right }, matchRows) {
  if (!right) return findings.addUnmatched(id, left.place, "onlyLeft", [errorIn(left), null]);
  if (!left) return findings.addUnmatched(id, right.place, "onlyRight", [null, errorIn(right)]);
  return findings.add(id, left.place, comparePair(left.text, right.text, { matchRows }));
}

function errorIn({ text }) {
  const answer = readExact(text);
  return hasFailed(answer) ? failureText(answer) : null;
}
