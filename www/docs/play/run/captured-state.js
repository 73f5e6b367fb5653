// A captured order as a state of the playground.
import { POLICIES } from "order-cost/internal";
import { answerIn, readCapture, Unopened } from "../../../orders/index.js";
import { en as texts } from "../../../texts/index.js";
import { laidOut } from "../parts/index.js";

/** @type {Record<string, string>} the name of each in the page */
const NOTED = { route: "route", dataVersion: "data", package: "package" };

/**
 * @param {File[]} files a capture, and its zones if it has some
 * @returns {Promise<{ state: import("../link/state.js").State, missingZones?: string }>} `missingZones`: what to do about them
 */
export async function stateOf(files) {
  const { members, zonesHash, zones } = await readCapture(files);
  const valueOf = (name) => JSON.parse(members[name] ?? "null") ?? undefined;
  const request = valueOf("request");
  const [limits, input] = [valueOf("limits"), valueOf("input")];
  const noted = Object.entries(NOTED)
    .map(([name, label]) => [label, valueOf(name)])
    .filter(([, value]) => value !== undefined);
  const state = {
    order: typeof request === "string" ? request : laidOut(members.request),
    facts: laidOut(zones ? withZones(members.facts, zones.text) : members.facts),
    policy: unusual(valueOf("policy") ?? {}),
    ...(limits && { limits }),
    ...(input && { input }),
    captured: {
      requestId: `${valueOf("requestId") ?? ""}`,
      answered: answerIn(members.new),
      noted: noted.map(([label, value]) => [label, `${value}`]),
    },
  };
  return { state, ...(zonesHash !== null && !zones && { missingZones: texts["captured.noZones"]({ hash: zonesHash }) }) };
}

/**
 * Facts have at least one member, or are `{}`.
 * @param {string} facts
 * @param {string} zones
 */
function withZones(facts, zones) {
  const members = facts.trim().slice(0, -1).trimEnd();
  return `${members}${members === "{" ? "" : ","}"deliveryZones":${zones}}`;
}

/** @param {Record<string, string>} policy */
const unusual = (policy) => Object.fromEntries(Object.entries(policy).filter(([name, value]) => POLICIES[name]?.values[0] !== value));

/**
 * What to say about files that are no capture.
 * @param {Error} error
 * @returns {string}
 */
export const sentenceOf = (error) =>
  error instanceof Unopened ? texts[error.text](error.values) : `The file cannot be opened: ${error.message}`;
