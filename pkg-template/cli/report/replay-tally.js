// The tally of a replay: what was asked and found, as members of a JSON document.
import { decimal } from "../../shared/index.js";
import { Accepted, Ignored } from "../comparison/index.js";
import { listOf, Misshapen, objectOf, optional, text, textOrNull, texts, whole } from "../files/index.js";
import { Findings } from "./findings.js";

/** How a report names the captured side. */
export const SIDES = { legacy: "old", new: "captured" };

/** @type {import("../tally/tally-file.js").Kind} */
export const REPLAY = {
  name: "replay",
  format: 1,
  others: {
    against: "another --against",
    matchRows: "another --match-rows",
    ignore: "another --ignore",
    ignorePath: "another --ignore-path",
    accept: "another --accept",
    reason: "another --reason",
    examples: "another --examples",
  },
  subjectIn,
  tallyIn,
  empty: ({ ignore, ignorePath, reason, examples }) =>
    new Findings({
      ignored: new Ignored(ignore?.split(","), ignorePath?.split(",")),
      accepted: new Accepted(),
      reason: reason ?? undefined,
      examples,
    }),
  members: (findings) => findings.data(),
};

/**
 * What decides what a replay finds.
 * @param {Record<string, any>} options of the command
 * @param {Accepted} [accepted]
 */
export const questionOf = ({ against, matchRows, ignore, ignorePath, reason, examples }, accepted) => ({
  against,
  matchRows: matchRows ?? null,
  ignore: ignore === undefined ? null : [...new Set(ignore)].sort().join(","),
  ignorePath: ignorePath?.join(",") ?? null,
  accept: accepted?.file ?? null,
  reason: reason ?? null,
  examples,
});

function subjectIn(json) {
  if (!Object.hasOwn(SIDES, text(json.against, "against"))) throw new Misshapen("against", Object.keys(SIDES).join(" or "));
  const texts = ["matchRows", "ignore", "ignorePath", "accept", "reason"].map((name) => [name, textOrNull(json[name], name)]);
  return { against: json.against, ...Object.fromEntries(texts), examples: whole(json.examples, "examples", "examples") };
}

function amount(value, where) {
  if (!/^-?\d+(\.\d+)?$/.test(text(value, where))) throw new Misshapen(where, "an amount as text");
  return decimal(value);
}

function rank(value, where) {
  if (!Number.isInteger(value)) throw new Misshapen(where, "a rank");
  return value;
}

const side = optional(text);

const found = listOf(objectOf({ id: text, hash: text, index: whole, path: text, size: amount, left: textOrNull, right: textOrNull }));

const LISTS = {
  explanations: { decision: textOrNull, what: text, policy: textOrNull, orders: whole, differences: whole, atStake: amount, net: amount },
  fields: { field: text, kind: text, side, why: text, rank, count: whole, largest: optional(amount), worst: found },
  differing: { rank, hash: text, id: text, differences: whole, worst: text, side, why: text },
  accepted: {
    ...{ place: text, path: optional(text), kind: optional(text), side, decision: optional(text), reason: text, until: text },
    ...{ count: whole, orders: whole, atStake: amount },
  },
};

/** Of the other members: those that are amounts. All others count orders. */
const AMOUNTS = ["failedPriced", "atStake", "net", "ignoredAtStake", "acceptedAtStake"];

const COUNTED = Object.entries(new Findings({ ignored: new Ignored() }).data());

const READERS = {
  ...Object.fromEntries(COUNTED.filter(([, value]) => typeof value === "number").map(([name]) => [name, whole])),
  ...Object.fromEntries(AMOUNTS.map((name) => [name, amount])),
  ...Object.fromEntries(Object.entries(LISTS).map(([name, members]) => [name, listOf(objectOf(members))])),
  unusedPaths: texts,
};

function tallyIn(json) {
  return Object.fromEntries(Object.entries(READERS).map(([name, read]) => [name, read(json[name], name)]));
}
