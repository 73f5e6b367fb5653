// `order-cost impact`
import { CapturedZones, captureFiles, Failure, shownNames, sourceOf } from "./files/index.js";
import { batchesOf, Rooms, readChange, Threads, verdict } from "./impact/index.js";
import { impactPage, impactTable } from "./impact/shown/index.js";
import { printable, progress, refuseOverwriting, withOutput } from "./screen/index.js";

/**
 * @typedef {ReturnType<typeof verdict> & ReturnType<import("./impact/tally.js").Tally["report"]> & Apart} Report
 * @typedef {{ changed: Changed, broken?: ReturnType<import("./files/broken-lines.js").BrokenLines["report"]> }} Apart
 * @typedef {import("./impact/change.js").Change} Change
 * @typedef {{ version: string | null, zones: string | null, policy: Change["policy"] | null }} Changed what is new, by name; null:
 *   it stays as it was captured
 */

/** Prices captured orders as they were and with what is new. Returns the exit code. */
export async function impact(names, { maxImpact, format, html, threads, zonesDir, skipBroken, ...options }, terminal) {
  const files = await captureFiles(names);
  const zones = new CapturedZones(zonesDir);
  await zones.check();
  await refuseOverwriting(html, [...names, ...files, ...zones.folders(files), options.zones, options.catalogue]);
  const change = await readChange(options);
  const { tally, broken } = await tallyOf(files, { threads, work: { change, zonesDir, skipBroken } }, terminal);
  if (tally.captured.orders === 0) {
    throw new Failure(`${shownNames(names)}: no capture has a total that could be compared`, ...(broken?.sentences ?? []));
  }
  const limit = verdict(tally, maxImpact);
  const report = { ...limit, changed: changedBy(change, options), ...tally.report(), broken: broken?.report() };
  if (html !== undefined) {
    await withOutput(html, ({ write }) => write(impactPage(report)));
  }
  const page = html === undefined ? "" : `\n\nThe same as a page: ${printable(html)}`;
  if (format === "json") await terminal.writeJson(`${JSON.stringify(report)}\n`);
  else await terminal.write(`${impactTable(report, terminal.color)}${page}\n`);
  return limit.passed ? 0 : 1;
}

/**
 * @param {string[]} files
 * @param {{ threads?: number, work: import("./impact/thread.js").Work }} options
 * @param {import("./screen/terminal.js").Terminal} terminal
 */
async function tallyOf(files, { threads: most, work }, terminal) {
  const source = await sourceOf(files);
  const bar = progress(source, terminal);
  let orders = 0;
  const rooms = new Rooms();
  const onDone = (more, room) => {
    rooms.push(room);
    bar.update((orders += more));
  };
  const threads = new Threads(work, { most, onDone });
  const reading = { terminal, skipBroken: work.skipBroken, onRead: source.onRead, onFile: source.next };
  try {
    for await (const batch of batchesOf(files, rooms, reading)) await threads.give(batch);
    return await threads.finish();
  } finally {
    bar.stop();
    await threads.end();
  }
}

/**
 * @param {Change} change
 * @param {{ zones?: string }} options
 * @returns {Changed}
 */
const changedBy = ({ catalogue, zones: newZones, policy }, { zones }) => ({
  version: catalogue?.id ?? null,
  zones: zones ?? (newZones ? "catalogue" : null),
  policy: policy ?? null,
});
