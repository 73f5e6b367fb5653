// The sum of tallies: one is in memory at a time.
import { Failure } from "../files/index.js";
import { ourSoftware } from "../repricing/index.js";
import { Parts } from "./parts.js";
import { Tally } from "./tally.js";
import { readTally } from "./tally-file.js";

/**
 * @param {string[]} names of files, at least one
 * @returns {Promise<import("./tally-file.js").Counted>}
 */
export async function sumOf(names) {
  const ours = await ourSoftware();
  const parts = new Parts();
  const tally = new Tally();
  let first;
  for (const name of names) {
    const read = await readTally(name);
    first ??= { name, subject: read.subject };
    refuseOther(name, read.subject, { name: "this command", subject: { ...read.subject, ...ours } });
    refuseOther(name, read.subject, first);
    for (const fingerprint of read.parts) parts.add(fingerprint, name);
    tally.merge(read.tally);
  }
  return { subject: first.subject, parts, tally };
}

const OTHERS = {
  version: "another version",
  module: "another module",
  catalogue: "another catalogue",
  zones: "other zones",
  policy: "another policy",
};

function refuseOther(name, subject, expected) {
  for (const [member, what] of Object.entries(OTHERS)) {
    const [found, wanted] = [subject, expected.subject].map((one) => shown(one[member]));
    if (found !== wanted) throw new Failure(`${name}: ${what} than ${expected.name}: ${found}, expected ${wanted}`);
  }
}

function shown(value) {
  if (value === null) return "none";
  return typeof value === "string"
    ? value
    : Object.entries(value)
        .map((rule) => rule.join("="))
        .join(" ");
}
