import { createPricer, PricingError } from "order-cost";
import { entriesOf, explainJson } from "order-cost/internal";
import { hostFromFacts } from "order-cost/testing";
import { factsIn } from "./facts-text.js";

const MOST_BYTES = 20e6;
const MEMBERS = ["request", "facts", "new"];

/**
 * The texts of a capture's members: `MEMBERS`, and those that a capture may also have.
 * @typedef {Record<string, string> & Record<"request" | "facts" | "new", string>} Members
 */

/** Why a captured order cannot be shown: a key of the texts with its values. */
export class Unopened extends Error {
  /**
   * @param {string} text
   * @param {Record<string, unknown>} values
   */
  constructor(text, values) {
    super(text);
    this.text = text;
    this.values = values;
  }
}

/**
 * @typedef {import("../model/shop.js").Zones} Zones
 *
 * An order that the service has captured, priced again from its own facts. Nothing is asked, and nothing is kept.
 * @typedef {object} CapturedOrder
 * @property {string} requestId
 * @property {string} [route]
 * @property {string} [dataVersion] of the prices and zones
 * @property {string} [package] the version that has priced it
 * @property {string} [policy] the text of its options
 * @property {import("order-cost").OrderInput} order as it was sent
 * @property {string} answered the text of the captured answer
 * @property {string} text the text of the answer now
 * @property {string} [steps] their text; undefined if the order failed
 * @property {PricingError} [error]
 * @property {Pick<Zones, "features">} zones
 *
 * @param {File[]} files a capture, and its zones if it has some
 * @returns {Promise<CapturedOrder>}
 */
export async function openCapture(files) {
  const { members, zonesHash, zones } = await readCapture(files);
  return price(members, zonesHash, zones);
}

/**
 * @param {File[]} files a capture, and its zones if it has some
 * @returns {Promise<{ members: Members, zonesHash: string | null, zones?: { text: string, value: Zones } }>}
 */
export async function readCapture(files) {
  const opened = await Promise.all(files.map(read));
  const zonesFiles = opened.filter(({ value }) => value?.type === "FeatureCollection");
  const others = zonesFiles.length === opened.length ? opened : opened.filter((one) => !zonesFiles.includes(one));
  if (others.length !== 1) throw new Unopened("captured.several", { count: others.length });
  const members = captureIn(others[0]);
  const zonesHash = JSON.parse(members.zones ?? "null");
  return { members, zonesHash, zones: zonesFiles.find(({ name }) => name === zonesHash || name.startsWith(`${zonesHash}.`)) };
}

async function read(file) {
  const { name } = file;
  if (file.size > MOST_BYTES) throw new Unopened("captured.tooLarge", { name });
  const text = await file.text().catch(() => {
    throw new Unopened("captured.unreadable", { name }); // a folder
  });
  return { name, text, value: parsed(text) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns {Members} */
function captureIn({ name, text, value }) {
  if (value === undefined) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const areMany = lines.length > 1 && lines.every((line) => parsed(line) !== undefined);
    throw areMany ? new Unopened("captured.many", { name, count: lines.length }) : new Unopened("captured.noJson", { name });
  }
  const members = /** @type {Members} */ (Object.fromEntries(entriesOf(text)));
  const isThere = (member) => members[member] !== undefined && (member !== "facts" || members.facts.startsWith("{"));
  const missing = text.trimStart().startsWith("{") ? MEMBERS.find((member) => !isThere(member)) : MEMBERS[0];
  if (missing) throw new Unopened("captured.noCapture", { name, missing });
  return members;
}

/**
 * @param {Members} capture
 * @param {string | null} hash
 * @param {{ text: string, value: Zones } | undefined} zones
 * @returns {Promise<CapturedOrder>}
 */
async function price(capture, hash, zones) {
  const valueOf = (name) => JSON.parse(capture[name] ?? "null") ?? undefined;
  const pricer = await pricerOf(capture, zones);
  const order = valueOf("request");
  const body = typeof order === "string" ? order : capture.request;
  const noted = Object.fromEntries(["route", "dataVersion", "package", "policy"].map((name) => [name, valueOf(name)]));
  const shown = { ...noted, requestId: `${valueOf("requestId") ?? ""}`, order, answered: answerIn(capture.new) };
  try {
    const explained = new TextDecoder().decode(await pricer[explainJson](body));
    const parts = Object.fromEntries(entriesOf(explained));
    return { ...shown, text: parts.order, steps: parts.steps, zones: zones?.value ?? { features: [] } };
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    if (error.code === "BRANCH_NOT_AVAILABLE" && hash !== null && !zones) throw new Unopened("captured.noZones", { hash });
    return { ...shown, text: JSON.stringify(error), error, zones: { features: [] } };
  }
}

async function pricerOf({ facts, policy = "{}", limits = "{}" }, zones) {
  try {
    const options = { deadlineMs: 0, policy: JSON.parse(policy) ?? {}, limits: JSON.parse(limits) ?? {} };
    return await createPricer(hostFromFacts(factsIn(facts)), { ...options, ...(zones && { deliveryZones: zones.text }) });
  } catch (error) {
    throw new Unopened("captured.notPriced", { reason: /** @type {Error} */ (error).message });
  }
}

/** The body of an answer, which may stand beside its status. */
export function answerIn(text) {
  const { status, body } = Object.fromEntries(entriesOf(text));
  return status !== undefined && body !== undefined ? body : text;
}
