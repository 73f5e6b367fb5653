// Reads a capture, faster than replay does: a report of money reads a hundred thousand.
import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { FACT_TABLES, keyFault } from "../../pricer/index.js";
import { bytesFault, captureHash, Failure, faultSentence, readFactsText, reading } from "../files/index.js";
import { isObject, isString, membersOf, namesOf, ScanFault } from "./json-scan.js";

/** The answer of the pricing service: money is compared with what this package's side has answered. */
const SIDE = "new";
const NEEDED = ["request", "facts", SIDE];
const PARTS = namesOf(...NEEDED, "requestId", "policy", "limits", "zones");
const ANSWER = namesOf("status", "body");

/**
 * @typedef {object} Capture
 * @property {string} requestId its hash, where it has none
 * @property {Buffer | string} request the order
 * @property {import("../files/facts-file.js").TextFacts} facts
 * @property {import("../repricing/pricers.js").Policy} policy
 * @property {import("../repricing/pricers.js").Limits} limits
 * @property {string | null} zones the hash of its zones
 * @property {number | null | undefined} status of the answer; null: there was none; undefined: it was not captured
 * @property {Buffer} body the answer
 */

/**
 * @param {Buffer} bytes
 * @param {string} place for messages
 * @param {boolean} [isStrict] checks also what is not read, so that no fault comes to light when some of it is counted
 * @returns {Capture}
 */
export const readCapture = (bytes, place, isStrict) => reading(() => scanned(bytes, place, isStrict));

function scanned(bytes, place, isStrict) {
  try {
    if (!isUtf8(bytes) || (isStrict && bytesFault(bytes))) throw new ScanFault("no JSON");
    return captureIn(bytes, place);
  } catch (error) {
    if (!(error instanceof ScanFault || error instanceof SyntaxError)) throw error;
    const fault = bytesFault(bytes);
    throw new Failure(fault ? placedFault(fault, place) : `${place}: expected a capture, an object`);
  }
}

/**
 * Parses what is read of it. What both sides have answered is text, of which only money is read.
 * @param {Buffer} bytes
 * @param {string} place
 * @returns {Capture}
 */
function captureIn(bytes, place) {
  const refuse = (what) => {
    throw new Failure(`${place}: ${what}`);
  };
  const parts = membersOf(bytes, PARTS);
  const [request, factsBytes, side] = NEEDED.map((name, index) => parts[index] ?? refuse(`${name}: missing in the capture`));
  const [requestId, policy, limits, zones] = parts.slice(NEEDED.length).map((part) => (part === undefined ? undefined : parsed(part)));
  if (!isNothing(zones) && (typeof zones !== "string" || basename(zones) !== zones || zones === "" || zones.startsWith("."))) {
    refuse("zones: expected the name of a file in zones/");
  }
  const { status, body } = sideOf(side);
  if (!isNothing(status) && !Number.isInteger(status)) refuse(`${SIDE}.status: expected a number such as 200, or null`);
  const facts = parsed(factsBytes);
  return {
    requestId: `${requestId ?? captureHash(bytes)}`,
    request: isString(request) ? parsed(request) : request,
    facts: areTexts(facts) ? facts : readFactsText(`${factsBytes}`, `${place}: facts: `),
    policy: policy ?? {},
    limits: limits ?? {},
    zones: zones ?? null,
    status,
    body,
  };
}

/** @param {Buffer} json */
const parsed = (json) => JSON.parse(`${json}`);

const isNothing = (value) => value === undefined || value === null;

/** A place ends in the number of the line, where the record is one. */
function placedFault(fault, place) {
  const [, name, line] = /^(.*):(\d+)$/.exec(place) ?? [undefined, place, "1"];
  return faultSentence({ name, line: Number(line) }, fault, "expected a capture as JSON");
}

/**
 * A side is `{status, body}`, or the body alone.
 * @param {Buffer} bytes
 * @returns {Pick<Capture, "status" | "body">}
 */
function sideOf(bytes) {
  if (!isObject(bytes)) return { status: undefined, body: bytes };
  const [status, body] = membersOf(bytes, ANSWER);
  return status === undefined || body === undefined ? { status: undefined, body: bytes } : { status: parsed(status), body };
}

/** Whether the facts are as a service records them: each record is a string of its JSON text, or null. */
function areTexts(facts) {
  if (typeof facts !== "object" || facts === null) return false;
  for (const [name, part] of Object.entries(facts)) {
    if (FACT_TABLES.includes(name) ? !isTable(name, part) : name !== "coupons" || !isAnswer(part)) return false;
  }
  return true;
}

const isTable = (name, part) => typeof part === "object" && part !== null && Object.entries(part).every((entry) => isRecord(name, entry));

const isRecord = (table, [key, record]) => (record === null || typeof record === "string") && keyFault(table, key) === undefined;

const isAnswer = (part) => Array.isArray(part) && part.every((entry) => typeof entry?.answer === "string");
