// `order-cost impact`
import { CapturedZones, captureParts, Fingerprint, noCaptures, shownNames, sourceOf } from "./files/index.js";
import { batchesOf, IMPACT, Rooms, readChange, Threads } from "./impact/index.js";
import { showImpact } from "./impact/shown/index.js";
import { ourSoftware } from "./repricing/index.js";
import { progress, refuseOverwriting } from "./screen/index.js";
import { Parts, writeTally } from "./tally/index.js";

/** Prices captured orders as they were and with what is new. Returns the exit code. With `tally` it writes that in place of a report. */
export async function impact(
  names,
  { tally: tallyFile, html, maxImpact, format, at, threads, zonesDir, skipBroken, ...options },
  terminal,
) {
  const named = await captureParts(names);
  const files = named.flatMap((part) => part.files);
  if (files.length === 0 && tallyFile === undefined) throw noCaptures(names);
  const zones = new CapturedZones(zonesDir);
  await zones.check();
  for (const output of [html, tallyFile]) {
    await refuseOverwriting(output, [...names, ...files, ...zones.folders(files), options.zones, options.catalogue]);
  }
  const change = await readChange(options);
  const subject = { ...(await ourSoftware()), ...changedBy(change, options) };
  const parts = tallyFile === undefined ? [{ files }] : named;
  const counted = { kind: IMPACT, subject, ...(await countedIn(parts, { threads, work: { change, zonesDir, skipBroken } }, terminal)) };
  if (tallyFile === undefined) return showImpact(counted, names, { html, maxImpact, format, at }, terminal);
  await writeTally(tallyFile, counted);
  return 0;
}

/**
 * @param {{ name?: string, files: string[] }[]} named the parts; without a name nobody asks which part it is
 * @param {{ threads?: number, work: import("./impact/thread.js").Work }} options
 * @param {import("./screen/terminal.js").Terminal} terminal
 */
async function countedIn(named, { threads: most, work }, terminal) {
  const source = await sourceOf(named.flatMap(({ files }) => files));
  const bar = progress(source, terminal);
  let orders = 0;
  const parts = new Parts();
  const rooms = new Rooms();
  const onDone = (more, room) => {
    rooms.push(room);
    bar.update((orders += more));
  };
  const threads = new Threads(work, { most, onDone });
  const reading = { terminal, skipBroken: work.skipBroken, onRead: source.onRead, onFile: source.next };
  try {
    for (const { name, files } of named) {
      const fingerprint = new Fingerprint();
      for await (const batch of batchesOf(files, rooms, reading)) {
        if (name !== undefined) for (const { start, end } of batch.records) fingerprint.add(batch.bytes.subarray(start, end));
        await threads.give(batch);
      }
      if (name !== undefined && !fingerprint.isEmpty) parts.add(fingerprint.text(), shownNames([name]));
    }
    return { parts, tally: await threads.finish() };
  } finally {
    bar.stop();
    await threads.end();
  }
}

/**
 * @param {import("./impact/change.js").Change} change
 * @param {{ zones?: string }} options
 */
const changedBy = ({ catalogue, zones: newZones, policy }, { zones }) => ({
  policy: policy ?? null,
  catalogue: catalogue?.id ?? null,
  zones: (zones === undefined ? newZones && "catalogue" : newZones?.hash) ?? null,
});
