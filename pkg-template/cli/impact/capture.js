// Reads a capture, faster than replay does: a report of money reads a hundred thousand.
import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { readFactsText } from "../facts.js";
import { Failure } from "../failure.js";
import { bytesFault, faultSentence } from "../json-fault.js";
import { membersOf } from "./scan.js";

/** The answer of the pricing service: money is compared with what this package's side has answered. */
const SIDE = "new";
const PARTS = ["request", "facts", SIDE];
const TABLES = ["prices", "vouchers", "rates"];

/**
 * @typedef {object} Capture
 * @property {string} requestId
 * @property {string} request the order's text
 * @property {object} facts as for `hostFromFacts`; records are text, so that their numbers stay exact
 * @property {object} policy
 * @property {object} limits
 * @property {string | null} zones the hash of its zones
 * @property {number | null | undefined} status of the answer; null: there was none; undefined: it was not captured
 * @property {string} body the answer's text
 */

/**
 * @param {Buffer} bytes
 * @param {string} place for messages
 * @returns {Capture}
 */
export function readCapture(bytes, place) {
  const refuse = (what) => {
    throw new Failure(`${place}: ${what}`);
  };
  const text = `${bytes}`;
  const value = parsed(bytes, text);
  if (value === undefined) throw new Failure(placedFault(bytes, place));
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse("expected a capture, an object");
  const [request, facts, side] = membersOf(text, PARTS);
  for (const [index, part] of [request, facts, side].entries()) if (part === undefined) refuse(`${PARTS[index]}: missing in the capture`);
  const { zones = null, requestId } = value;
  if (zones !== null && (typeof zones !== "string" || basename(zones) !== zones || zones === "" || zones.startsWith("."))) {
    refuse("zones: expected the name of a file in zones/");
  }
  const { status, body } = sideOf(side);
  if (status !== undefined && status !== null && !Number.isInteger(status)) refuse(`${SIDE}.status: expected a number such as 200, or null`);
  return {
    requestId: requestId === undefined ? place : `${requestId}`,
    request: typeof value.request === "string" ? value.request : request,
    facts: areTexts(value.facts) ? value.facts : readFactsText(facts, `${place}: facts: `),
    policy: value.policy ?? {},
    limits: value.limits ?? {},
    zones,
    status,
    body,
  };
}

function parsed(bytes, text) {
  try {
    return isUtf8(bytes) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** A place ends in the number of the line, where the record is one. */
function placedFault(bytes, place) {
  const [, name, line] = /^(.*):(\d+)$/.exec(place) ?? [undefined, place, "1"];
  return faultSentence({ name, line: Number(line) }, bytesFault(bytes), "expected a capture as JSON");
}

/** A side is `{status, body}`, or the body alone. */
function sideOf(text) {
  const [status, body] = membersOf(text, ["status", "body"]);
  return status === undefined || body === undefined ? { status: undefined, body: text } : { status: JSON.parse(status), body };
}

/** Whether the facts are as a service records them: each record is a string of its JSON text, or null. */
function areTexts(facts) {
  if (typeof facts !== "object" || facts === null) return false;
  for (const [name, part] of Object.entries(facts)) {
    if (TABLES.includes(name) ? !isTable(part) : name !== "coupons" || !isAnswer(part)) return false;
  }
  return true;
}

const isTable = (part) => typeof part === "object" && part !== null && Object.values(part).every((record) => record === null || typeof record === "string");

const isAnswer = (part) => Array.isArray(part) && part.every((entry) => typeof entry?.answer === "string");
