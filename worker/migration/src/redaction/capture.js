// A capture: an order, what it was priced from and what both sides answered, without anybody's data. It can be priced
// again, and gives the same differences.
import { branchesIn, foreignIn, readFacts, redactFacts } from "./facts.js";
import { Digits, Members, TooDeep, readJson, writeJson } from "./json.js";
import { Redactor } from "./redactor.js";
import { StandIns } from "./stand-ins.js";
import { ANSWER, ORDER } from "./tables.js";

/**
 * @typedef {object} Exchange
 * @property {string} requestId
 * @property {string} route
 * @property {string | undefined} order its text; undefined if it is none
 * @property {object} policy
 * @property {object} limits
 * @property {string | null} zones their hash
 * @property {import("order-cost/testing").Facts} facts
 * @property {{ status: number | null, text?: string }} legacy `text` is there if the answer is whole
 * @property {{ status: number, text: string, code?: string }} fresh the new side's answer
 */

/**
 * The text of a capture. Undefined if the order could not be priced again: its address cannot be moved inside its zone, it
 * is nested too deep, or what stands in for its texts is too long.
 * @param {Exchange} exchange
 * @param {import("./zones.js").Zones} zones
 * @param {(ids: string[]) => Promise<Map<string, string>>} hashesOf
 */
export async function captureText(exchange, zones, hashesOf) {
  try {
    // The hashes come later than the ids: a first round finds these.
    const ids = new Set();
    redacted(exchange, zones, (id) => ids.add(id) && id);
    const hashes = await hashesOf([...ids]);
    return redacted(exchange, zones, (id) => hashes.get(id));
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

function redacted({ requestId, route, order, policy, limits, zones: hash, facts: noted, legacy, fresh }, zones, hashOf) {
  const request = readOrder(order, fresh.code);
  const facts = readFacts(noted);
  const ownerId = request instanceof Members ? request.last("ownerId") : undefined;
  const foreign = foreignIn(facts, ownerId);
  const standIns = new StandIns(hashOf);
  branchesIn(facts).forEach((branchId) => standIns.keepBranch(branchId));
  if (!placeElsewhere(request, zones, standIns)) return undefined;
  const isForeign = (voucher) => foreign.get(voucher.last("voucherId")) ?? isSomebodyElses(voucher.last("ownerId"), ownerId);
  const redactor = new Redactor(standIns, isForeign);

  const shown = {
    requestId,
    route,
    policy: readJson(JSON.stringify(policy)),
    limits: readJson(JSON.stringify(limits)),
    zones: hash,
    request: requestShown(request, redactor),
    facts: redactFacts(facts, redactor, standIns, foreign),
  };
  if (bytesOf(writeJson(shown.request)) > limits.maxBodyBytes) return undefined;
  keepMessage(fresh, standIns);
  const side = ({ status }, body) => new Members([["status", status === null ? null : new Digits(`${status}`)], ["body", body === null ? null : redactor.redact(body, ANSWER)]]);
  const sides = { legacy: side(legacy, bodyOf(legacy)), new: side(fresh, readJson(fresh.text)) };
  return writeJson(new Members(Object.entries({ ...shown, ...sides })));
}

const bytesOf = (text) => new TextEncoder().encode(text).length;

/** What a service does not read as JSON is no order, whatever we think of it. */
function readOrder(text, code) {
  if (text === undefined || code === "INVALID_JSON") return undefined;
  return readJson(text);
}

const isSomebodyElses = (ownerId, orders) => typeof ownerId === "string" && ownerId !== "" && ownerId !== orders;

/** An order, or any JSON. A string is the text of what is no JSON object. */
function requestShown(request, redactor) {
  if (request === undefined) return "";
  const shown = redactor.redact(request, ORDER, { drops: true });
  return typeof shown === "string" ? writeJson(shown) : shown;
}

/** The old service's answer as JSON, or its text where it is none. Null if it is not whole. */
function bodyOf({ text }) {
  if (text === undefined) return null;
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

const DEFAULT_BRCODE = 1000;

/** Moves the order's address to another point of its zone. False if there is none. */
function placeElsewhere(request, zones, standIns) {
  const shipping = request instanceof Members ? request.last("shipping") : undefined;
  if (!(shipping instanceof Members)) return true;
  const places = [["shippingLon", standIns.longitudes], ["shippingLat", standIns.latitudes]];
  const given = places.map(([name]) => shipping.last(name) ?? new Digits("0"));
  if (!given.every((value) => value instanceof Digits)) return true; // no valid order
  const point = given.map(({ text }) => Number(text));
  const brcode = shipping.last("brcode");
  const moved = point.every(Number.isFinite) ? zones.moved(brcode instanceof Digits ? Number(brcode.text) : DEFAULT_BRCODE, point) : [Infinity, Infinity];
  if (moved === undefined) return false;
  places.forEach(([name, numbers], axis) => {
    if (Number.isFinite(moved[axis])) numbers.put(given[axis].text, `${moved[axis]}`);
    else numbers.putText(given[axis].text, "1e999"); // as wrong as it was
    if (!(shipping.last(name) instanceof Digits) && moved[axis] !== 0) shipping.list.push([name, given[axis]]); // its default is 0
  });
  return true;
}

/** The new side's own sentences show what is wrong; the ids in them have stand-ins. Any other sentence may hold anything. */
function keepMessage({ text, code }, standIns) {
  if (code === undefined) return;
  const { error } = JSON.parse(text);
  standIns.putText(error, MESSAGES[code]?.(error, standIns) ?? error);
}

const MESSAGES = {
  VOUCHER_NOT_FOUND: (message, standIns) => message.replace(/^(Voucher )(.*)( not found)$/s, (_, begin, id, end) => begin + standIns.id(id) + end),
  PRODUCT_PRICE_NOT_FOUND: (message, standIns) => message.replace(/^(No price for -?\d+\/)(.*)$/s, (_, begin, branchId) => begin + standIns.branch(branchId)),
};
