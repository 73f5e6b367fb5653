// `order-cost replay`
import { DEFAULT_POLICY } from "../core/index.js";
import { Ignored, readAccepted } from "./comparison/index.js";
import { BrokenLines, CapturedZones, captureFiles, Failure } from "./files/index.js";
import { Findings, isWithin, limitSentence, printReport, warn } from "./report/index.js";
import { compareCapture, eachCapture, Repricer } from "./repricing/index.js";
import { refuseOverwriting, withIds } from "./screen/index.js";
import { CapturedOrders, capturedOrder, countingOf, suggesterOf } from "./suggest/index.js";

/** Prices captured orders again and compares with what one side answered. Returns the exit code. */
export async function replay(
  names,
  { against, accept, ids, matchRows, maxDifferent, format, examples, reason, suggest, zonesDir, skipBroken, ...options },
  terminal,
) {
  if (suggest && names.includes("-")) throw new Failure("--suggest: expected files, because it reads them twice");
  const files = await captureFiles(names);
  const zones = new CapturedZones(zonesDir);
  await zones.check();
  await refuseOverwriting(ids, [...names, ...files, ...zones.folders(files), accept]);
  const accepted = accept === undefined ? undefined : await readAccepted(accept);
  const ignored = new Ignored(options.ignore, options.ignorePath);
  const findings = new Findings({ ignored, accepted, examples, reason });
  const orderCost = await import("order-cost"); // not at once: `--help` needs no module
  const repricer = new Repricer(orderCost, zones);
  const suggester = suggest && (await suggesterOf(CapturedOrders, terminal));
  const suggestible = (capture, { text: right }) => {
    const left = { text: capture.body, status: capture.status };
    return { right, captured: capturedOrder(capture), policy: policyOf(capture), ...countingOf(ignored, left, matchRows) };
  };
  const each = async (work) => {
    const broken = skipBroken ? new BrokenLines() : undefined;
    await eachCapture({ names, files, against, terminal, broken }, async (file, capture) =>
      work(capture, await repricer.price(file, capture)),
    );
    return broken;
  };
  const broken = await withIds(ids, (write) =>
    each(async (capture, priced) => {
      const { isDifferent, isListed } = findings.add(capture, compareCapture(capture, priced, matchRows));
      if (isListed) await write(capture.requestId);
      suggester?.add(suggestible(capture, priced), isDifferent);
    }),
  );
  warn(findings.warnings(), terminal);
  const found = findings.report();
  const sides = { left: SIDES[against], right: "this version", noun: "capture" };
  const report = {
    ...sides,
    limit: limitSentence(found, maxDifferent),
    matchRows: matchRows ?? null,
    reason: reason ?? null,
    ...found,
    broken,
  };
  const suggestion = await suggester?.suggest((visit) => each((capture, priced) => visit(suggestible(capture, priced))));
  await printReport({ report, suggestion, format }, terminal);
  return isWithin({ ...report, different: (suggestion ?? report).different }, maxDifferent) ? 0 : 1;
}

const policyOf = ({ policy = "{}" }) => ({ ...DEFAULT_POLICY, ...JSON.parse(policy) });

/** How a report names the captured side. */
const SIDES = { legacy: "old", new: "captured" };
