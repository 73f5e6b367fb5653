// `order-cost explain`

import { BrokenLines, CapturedZones, captureFiles, Failure, shownNames } from "./files/index.js";
import { warn } from "./report/index.js";
import { compareCapture, eachCapture, explainedJson, explainedTable, ourSoftware, Repricer } from "./repricing/index.js";
import { brokenSentences } from "./screen/index.js";

/**
 * @typedef {object} Explained
 * @property {import("./files/capture-files.js").Capture} capture
 * @property {import("./repricing/reprice.js").Priced} priced
 * @property {import("./comparison/compare-pair.js").Comparison} comparison
 * @property {import("./repricing/software.js").Software} software this package
 */

/** Explains captured orders: how each total came about, by this package. Returns the exit code. */
export async function explainCaptures(names, { language, format, requestId, all, zonesDir, skipBroken }, terminal) {
  const files = await captureFiles(names);
  const zones = new CapturedZones(zonesDir);
  await zones.check();
  const repricer = new Repricer(await import("order-cost"), zones); // not at once: `--help` needs no module
  const software = await ourSoftware();
  const look = { language, width: width(terminal.stdout), color: terminal.color, all };
  const show = format === "json" ? explainedJson : tables(look);
  const count = { explained: 0, different: 0 };
  const broken = skipBroken ? new BrokenLines() : undefined;
  await eachCapture(
    { names, parts: [{ files }], against: "new", terminal, isQuiet: terminal.stdout.isTTY, broken },
    async (file, capture) => {
      if (requestId !== undefined && ![capture.requestId, capture.hash].includes(requestId)) return;
      const priced = await repricer.explain(file, capture);
      const comparison = compareCapture(capture, priced);
      count.explained += 1;
      if (comparison.differences.length > 0) count.different += 1;
      const text = `${show({ capture, priced, comparison, software })}\n`;
      await (format === "json" ? terminal.writeJson(text) : terminal.write(text));
    },
  );
  warn(brokenSentences(broken), terminal);
  if (count.explained === 0)
    throw new Failure(
      `${shownNames(names)}: no capture has the request id ${requestId}. An id that the client chose stands in a capture as its hash: the order's line in the log names the capture`,
    );
  return count.different === 0 ? 0 : 1;
}

/**
 * A line stands between two orders.
 * @param {import("./repricing/explained-table.js").Look} look
 * @returns {(explained: Explained) => string}
 */
function tables(look) {
  let isFirst = true;
  return (explained) => {
    const line = isFirst ? "" : `\n${"─".repeat(look.width)}\n\n`;
    isFirst = false;
    return `${line}${explainedTable(explained, look)}`;
  };
}

/** The columns of a terminal; a pipe, and lines too long to follow, have others. */
const width = ({ columns = 80 }) => Math.min(Math.max(columns, 60), 100);
