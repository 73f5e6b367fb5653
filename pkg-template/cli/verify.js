// `order-cost verify`
import { readExact } from "../shared/index.js";
import { comparePair, failureText, hasFailed, Ignored, readAccepted } from "./comparison/index.js";
import { Failure, openInput, placed } from "./files/index.js";
import { PairsByKey, PairsByPosition } from "./pairing/index.js";
import { Findings, isWithin, limitSentence, printReport, warn } from "./report/index.js";
import { progress, refuseOverwriting, withIds } from "./screen/index.js";
import { AnsweredOrders, countingOf, suggesterOf } from "./suggest/index.js";

/**
 * @typedef {{ id: string, left?: import("./files/responses.js").Response, right?: import("./files/responses.js").Response }} Pair
 * @typedef {import("./screen/progress.js").Progressing & AsyncIterable<Pair | undefined> & { doubt?: string, fault?: string }} Pairs
 */

/** Compares the responses of two files. Returns the exit code. */
export async function verify(
  left,
  right,
  { key, matchRows, accept, ids, maxDifferent, format, examples, reason, suggest, ...options },
  terminal,
) {
  if (left === "-" && right === "-") throw new Failure("only one side can be standard input");
  if (suggest && [left, right].includes("-")) throw new Failure("--suggest: expected two files, because it reads them twice");
  await refuseOverwriting(ids, [left, right, accept]);
  const accepted = accept === undefined ? undefined : await readAccepted(accept);
  const ignored = new Ignored(options.ignore, options.ignorePath);
  const findings = new Findings({ ignored, accepted, examples, reason });
  /** @returns {Promise<Pairs>} */
  const open = async () => {
    const inputs = [await openInput(left, terminal), await openInput(right, terminal)];
    return key === undefined ? new PairsByPosition(inputs) : new PairsByKey(inputs, key);
  };
  const pairs = await open();
  const suggester = suggest && (await suggesterOf(AnsweredOrders, terminal));
  const suggestible = ({ left, right }) => ({ right: right.text, ...countingOf(ignored, left, matchRows) });
  await withIds(ids, async (write) => {
    await eachOf(pairs, terminal, async (pair) => {
      const { isDifferent, isListed } = addPair(findings, pair, matchRows);
      if (isListed) await write(pair.id);
      if (pair.left && pair.right) suggester?.add(suggestible(pair), isDifferent);
    });
    if (findings.orders === 0) throw new Failure(`${left} and ${right}: no responses in them`);
  });
  warn([pairs.doubt, ...findings.warnings()].filter(Boolean), terminal);
  const { differing, notListed, ...found } = findings.report(); // `--ids` has all of them
  const report = {
    left,
    right,
    alignment: pairs.fault ?? null,
    limit: limitSentence(found, maxDifferent),
    matchRows: matchRows ?? null,
    reason: reason ?? null,
    ...found,
  };
  const suggestion = await suggester?.suggest(async (visit) => {
    await eachOf(await open(), terminal, (pair) => pair.left && pair.right && visit(suggestible(pair)));
  });
  await printReport({ report, suggestion, format }, terminal);
  return isWithin({ ...report, different: (suggestion ?? report).different }, maxDifferent) ? 0 : 1;
}

/** Calls `work` for each pair, one after the other, and shows the progress. */
async function eachOf(pairs, terminal, work) {
  const bar = progress(pairs, terminal);
  let done = 0;
  try {
    for await (const pair of pairs) {
      if (pair) await work(pair);
      bar.update((done += pair ? 1 : 0)); // without one it has read on
    }
  } finally {
    bar.stop();
  }
}

/** Returns whether the pair counts as different, and is listed. */
function addPair(findings, pair, matchRows) {
  const sides = [pair.left, pair.right].filter(Boolean);
  return placed(sides.map(({ place }) => place).join(", "), () => addSides(findings, pair, matchRows));
}

function addSides(findings, { id, left, right }, matchRows) {
  if (!right) return findings.addUnmatched(id, left.place, "onlyLeft", [errorIn(left), null]);
  if (!left) return findings.addUnmatched(id, right.place, "onlyRight", [null, errorIn(right)]);
  return findings.add({ requestId: id, place: left.place }, comparePair(left.text, right.text, { matchRows }));
}

function errorIn({ text }) {
  const answer = readExact(text);
  return hasFailed(answer) ? failureText(answer) : null;
}
