// `order-cost replay`
import { readAccepted } from "./accepted.js";
import { compareCapture } from "./captured/compare.js";
import { eachCapture } from "./captured/each.js";
import { Repricer } from "./captured/reprice.js";
import { captureFiles } from "./captures.js";
import { Findings } from "./findings.js";
import { withIds } from "./ids.js";
import { Ignored } from "./ignored.js";
import { refuseOverwriting } from "./output.js";
import { printReport, warn } from "./report.js";
import { isWithin, limitSentence } from "./share.js";

/** Prices captured orders again and compares with what one side answered. Returns the exit code. */
export async function replay(names, { against, accept, ids, matchRows, maxDifferent, format, examples, ...options }) {
  const files = await captureFiles(names);
  await refuseOverwriting(ids, [...files, accept].filter(Boolean));
  const accepted = accept && (await readAccepted(accept));
  const ignored = new Ignored(options.ignore, options.ignorePath);
  const findings = new Findings({ ignored, accepted, examples });
  const repricer = new Repricer(await import("order-cost")); // not at once: `--help` needs no module
  await withIds(ids, async (write) => {
    await eachCapture({ names, files, against, isQuiet: false }, async (file, capture) => {
      const comparison = compareCapture(capture, await repricer.price(file, capture), matchRows);
      if (findings.add(capture.requestId, capture.place, comparison)) await write(capture.requestId);
    });
  });
  warn(ignored.unused());
  const found = findings.report();
  const sides = { left: SIDES[against], right: "this version", noun: "capture" };
  const report = { ...sides, limit: limitSentence(found, maxDifferent), matchRows: matchRows ?? null, ...found };
  await printReport(report, format);
  return isWithin(report, maxDifferent) ? 0 : 1;
}

/** How a report names the captured side. */
const SIDES = { legacy: "old", new: "captured" };
