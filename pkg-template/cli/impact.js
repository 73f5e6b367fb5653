// `order-cost impact`
import { captureParts, noCaptures, sourceOf, zonesFolders } from "./files/index.js";
import { batchesOf, Fingerprint, Parts, Rooms, readChange, Threads, writeTally } from "./impact/index.js";
import { showImpact } from "./impact/shown/index.js";
import { ourSoftware } from "./repricing/index.js";
import { progress, refuseOverwriting } from "./screen/index.js";

/** Prices captured orders as they were and with what is new. Returns the exit code. With `tally` it writes that in place of a report. */
export async function impact(names, { tally: tallyFile, html, maxImpact, format, at, ...options }, terminal) {
  const named = await captureParts(names);
  const files = named.flatMap((part) => part.files);
  if (files.length === 0 && tallyFile === undefined) throw noCaptures(names);
  for (const output of [html, tallyFile]) {
    await refuseOverwriting(output, [...names, ...files, ...zonesFolders(files), options.zones, options.catalogue]);
  }
  const change = await readChange(options);
  const subject = { ...(await ourSoftware()), ...changedBy(change, options) };
  if (tallyFile === undefined) {
    const counted = await countedIn([{ files }], change, terminal);
    return showImpact({ subject, ...counted }, names, { html, maxImpact, format, at }, terminal);
  }
  await writeTally(tallyFile, { subject, ...(await countedIn(named, change, terminal)) });
  return 0;
}

/**
 * @param {{ name?: string, files: string[] }[]} named the parts; without a name nobody asks which part it is
 * @param {import("./impact/change.js").Change} change
 * @param {import("./screen/terminal.js").Terminal} terminal
 */
async function countedIn(named, change, terminal) {
  const source = await sourceOf(named.flatMap(({ files }) => files));
  const bar = progress(source, terminal);
  let orders = 0;
  const parts = new Parts();
  const rooms = new Rooms();
  const threads = new Threads(change, (more, room) => {
    rooms.push(room);
    bar.update((orders += more));
  });
  try {
    for (const { name, files } of named) {
      const fingerprint = new Fingerprint();
      for await (const batch of batchesOf(files, rooms, { onRead: source.onRead, onFile: source.next })) {
        if (name !== undefined) fingerprint.add(batch);
        await threads.give(batch);
      }
      if (name !== undefined && !fingerprint.isEmpty) parts.add(fingerprint.text(), name);
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
