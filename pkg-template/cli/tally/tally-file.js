// A tally as one JSON document: what was counted, of which parts, by which software and for which question.
import { brokenIn, Failure, faultSentence, jsonFault, Misshapen, placed, readText, text, texts } from "../files/index.js";
import { withOutput } from "../screen/index.js";

/**
 * What a tally is of. Tallies that differ in one of these do not add up.
 * @typedef {{ version: string, module: string } & Record<string, unknown>} Subject
 *
 * @typedef {object} Kind what a command counts
 * @property {string} name of the command
 * @property {number} format
 * @property {Record<string, string>} others what to call a member of the subject that is another
 * @property {(json: any) => object} subjectIn reads what the command was asked
 * @property {(json: any) => object} tallyIn reads what it has counted, for `merge`
 * @property {(subject: any) => any} empty a tally of nothing
 * @property {(tally: any) => object} members of the document
 *
 * @typedef {{ kind: Kind, subject: Subject, parts: import("./parts.js").Parts, tally: any }} Counted
 */

/**
 * @param {string} name of the file
 * @param {Counted} counted
 */
export async function writeTally(name, { kind, subject, parts, tally }) {
  const head = { tally: kind.name, format: kind.format, ...subject, parts: parts.fingerprints() };
  const json = { ...head, ...kind.members(tally), broken: tally.broken };
  await withOutput(name, ({ write }) => write(`${JSON.stringify(json)}\n`));
}

/**
 * Reads a tally. What it has counted is for `merge`.
 * @param {string} name of the file
 * @param {Kind[]} kinds
 */
export async function readTally(name, kinds) {
  const text = await readText(name);
  return placed(name, () => {
    try {
      return read(parsed(text, name), name, kinds);
    } catch (error) {
      throw error instanceof Misshapen ? new Failure(`${name}: ${error.message}`) : error;
    }
  });
}

function parsed(text, name) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(faultSentence({ name }, jsonFault(text), "expected a whole tally as JSON"));
  }
}

function read(json, name, kinds) {
  const kind = kinds.find((one) => one.name === json?.tally);
  if (kind === undefined) throw new Misshapen("no tally", `what ${kinds.map(({ name }) => `${name} --tally`).join(" or ")} writes`);
  if (json.format !== kind.format) throw new Failure(`${name}: a tally of format ${JSON.stringify(json.format)}, expected ${kind.format}`);
  return {
    kind,
    subject: { version: text(json.version, "version"), module: text(json.module, "module"), ...kind.subjectIn(json) },
    parts: texts(json.parts, "parts"),
    tally: { ...kind.tallyIn(json), broken: brokenIn(json.broken) },
  };
}
