// The sum of tallies: one is in memory at a time.
import { Failure } from "../files/index.js";
import { ourSoftware } from "../repricing/index.js";
import { Parts } from "./parts.js";
import { readTally } from "./tally-file.js";

/**
 * @param {string[]} names of files, at least one
 * @param {import("./tally-file.js").Kind[]} kinds
 * @returns {Promise<import("./tally-file.js").Counted>}
 */
export async function sumOf(names, kinds) {
  const ours = await ourSoftware();
  const parts = new Parts();
  let first;
  for (const name of names) {
    const { kind, subject, ...read } = await readTally(name, kinds);
    first ??= { name, kind, subject, tally: kind.empty(subject) };
    if (kind !== first.kind) {
      throw new Failure(`${name}: a tally of ${kind.name}, expected one of ${first.kind.name}, as ${first.name} is`);
    }
    refuseOther(name, { kind, subject }, { name: "this command", subject: { ...subject, ...ours } });
    refuseOther(name, { kind, subject }, first);
    for (const fingerprint of read.parts) parts.add(fingerprint, name);
    first.tally.merge(read.tally);
  }
  return { kind: first.kind, subject: first.subject, parts, tally: first.tally };
}

const OTHERS = { version: "another version", module: "another module" };

function refuseOther(name, { kind, subject }, expected) {
  for (const [member, what] of Object.entries({ ...OTHERS, ...kind.others })) {
    const [found, wanted] = [subject, expected.subject].map((one) => shown(one[member]));
    if (found !== wanted) throw new Failure(`${name}: ${what} than ${expected.name}: ${found}, expected ${wanted}`);
  }
}

function shown(value) {
  if (value === null) return "none";
  if (typeof value !== "object") return `${value}`;
  return Object.entries(value)
    .map((rule) => rule.join("="))
    .join(" ");
}
