// `order-cost replay`
import { DEFAULT_POLICY } from "../core/index.js";
import { Ignored, readAccepted } from "./comparison/index.js";
import { BrokenLines, CapturedZones, captureParts, Failure, noCaptures } from "./files/index.js";
import { Findings, questionOf, REPLAY, showReplay } from "./report/index.js";
import { compareCapture, eachCapture, ourSoftware, Repricer } from "./repricing/index.js";
import { refuseOverwriting, withIds } from "./screen/index.js";
import { CapturedOrders, capturedOrder, countingOf, suggesterOf } from "./suggest/index.js";
import { Parts, writeTally } from "./tally/index.js";

/** Prices captured orders again and compares with what one side answered. Returns the exit code. With `tally` it writes that in place of a report. */
export async function replay(
  names,
  { tally: tallyFile, accept, ids, maxDifferent, format, suggest, zonesDir, skipBroken, ...asked },
  terminal,
) {
  if (suggest && names.includes("-")) throw new Failure("--suggest: expected files, because it reads them twice");
  if (suggest && tallyFile !== undefined) {
    throw new Failure("--suggest: expected no --tally beside it, because what fits a part may not fit the whole");
  }
  const named = await captureParts(names);
  const files = named.flatMap((part) => part.files);
  if (files.length === 0 && tallyFile === undefined) throw noCaptures(names);
  const zones = new CapturedZones(zonesDir);
  await zones.check();
  for (const output of [ids, tallyFile]) await refuseOverwriting(output, [...names, ...files, ...zones.folders(files), accept]);
  const accepted = accept === undefined ? undefined : await readAccepted(accept);
  const { against, matchRows, examples, reason } = asked;
  const ignored = new Ignored(asked.ignore, asked.ignorePath);
  const findings = new Findings({ ignored, accepted, examples, reason });
  const orderCost = await import("order-cost"); // not at once: `--help` needs no module
  const repricer = new Repricer(orderCost, zones);
  const suggester = suggest && (await suggesterOf(CapturedOrders, terminal));
  const suggestible = (capture, { text: right }) => {
    const left = { text: capture.body, status: capture.status };
    return { right, captured: capturedOrder(capture), policy: policyOf(capture), ...countingOf(ignored, left, matchRows) };
  };
  const counted = tallyFile === undefined ? undefined : new Parts();
  const each = async (work) => {
    const broken = skipBroken ? new BrokenLines() : undefined;
    await eachCapture({ names, parts: named, counted, against, terminal, broken }, async (file, capture) =>
      work(capture, await repricer.price(file, capture)),
    );
    return broken;
  };
  findings.broken = await withIds(ids, (write) =>
    each(async (capture, priced) => {
      const { isDifferent, isListed } = findings.add(capture, compareCapture(capture, priced, matchRows));
      if (isListed) await write(capture.requestId);
      suggester?.add(suggestible(capture, priced), isDifferent);
    }),
  );
  const subject = { ...(await ourSoftware()), ...questionOf(asked, accepted) };
  if (counted) {
    await writeTally(tallyFile, { kind: REPLAY, subject, parts: counted, tally: findings });
    return 0;
  }
  const suggestion = suggester && (() => suggester.suggest((visit) => each((capture, priced) => visit(suggestible(capture, priced)))));
  return showReplay({ subject, tally: findings }, names, { maxDifferent, format, suggest: suggestion }, terminal);
}

const policyOf = ({ policy = "{}" }) => ({ ...DEFAULT_POLICY, ...JSON.parse(policy) });
