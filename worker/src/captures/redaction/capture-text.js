// A capture: an order, what it was priced from and what both sides answered, without anybody's data. It can be priced
// again, and gives the same differences.
import { DEFAULTS, numberText, numberValue, stringValue, typeOf } from "order-cost/internal";
import { branchesIn, foreignIn, readFacts, redactFacts } from "./captured-facts.js";
import { last, membersOf, objectOf, read, TooMuch, textIn, textOf } from "./exact.js";
import { asRead } from "./lenient.js";
import { Marks } from "./marks.js";
import { Redactor } from "./redactor.js";
import { StandIns } from "./stand-ins.js";
import { ANSWER, ORDER } from "./tables.js";

/**
 * @typedef {object} Exchange
 * @property {string} requestId
 * @property {boolean} [hidesRequestId] the client chose it, and may have put anything into it
 * @property {string} route
 * @property {string | undefined} order its text; undefined if it is none
 * @property {"strict" | "lenient"} [input] how it was read
 * @property {object} policy
 * @property {Required<NonNullable<import("order-cost").PricerOptions["limits"]>>} limits
 * @property {{ dataVersion: string | null, package: string, module: string }} [pricedBy] the version of the catalogue, that of
 *   the package, and the SHA-256 of the module
 * @property {string | null} zones their hash
 * @property {import("./captured-facts.js").RecordedFacts} facts
 * @property {{ status: number | null, text?: string }} [legacy] the old service's answer, if it was asked; `text` is there if the
 *   answer is whole
 * @property {{ status: number, text: string, code?: string }} fresh the new side's answer
 */

/**
 * The text of a capture. Undefined if the order could not be priced again: its address cannot be moved inside its zone, or
 * what stands in for its values would be too much.
 * @param {Exchange} exchange
 * @param {import("./zones.js").OpenZones} zones
 * @param {(ids: string[]) => Promise<Map<string, string>>} hashesOf
 */
export async function captureText(exchange, zones, hashesOf) {
  const marks = new Marks();
  try {
    const text = await redacted(exchange, zones, marks.of);
    return text && marks.replaced(text, await hashesOf(marks.ids));
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

async function redacted(exchange, zones, hashOf) {
  const { requestId, hidesRequestId, route, policy, limits, pricedBy = {}, zones: hash, legacy, fresh } = exchange;
  const request = readOrder(exchange.order, exchange.input, fresh.code);
  const facts = readFacts(exchange.facts);
  const ownerId = textIn(request, "ownerId");
  const foreign = foreignIn(facts, ownerId);
  const standIns = new StandIns(hashOf);
  branchesIn(facts).forEach((branchId) => standIns.keepBranch(branchId));
  if (!(await placeElsewhere(request, zones, standIns))) return undefined;
  const isForeign = (voucher) => foreign.get(textIn(voucher, "voucherId")) ?? isSomebodyElses(textIn(voucher, "ownerId"), ownerId);
  const redactor = new Redactor(standIns, isForeign);

  const shown = {
    requestId: stringValue(hidesRequestId ? standIns.id(requestId) : requestId),
    route: stringValue(route),
    policy: read(JSON.stringify(policy)),
    limits: read(JSON.stringify(limits)),
    ...Object.fromEntries(Object.entries(pricedBy).map(([name, text]) => [name, text && stringValue(text)])),
    zones: hash && stringValue(hash),
    request: requestShown(request, redactor),
    facts: redactFacts(facts, redactor, standIns, foreign),
  };
  if (bytesOf(textOf(shown.request)) > limits.maxBodyBytes) return undefined;
  keepMessage(fresh, standIns);
  const side = ({ status }, body) =>
    objectOf([
      ["status", status === null ? null : numberValue(status)],
      ["body", redactor.redact(body, ANSWER)],
    ]);
  const sides = { ...(legacy && { legacy: side(legacy, bodyOf(legacy)) }), new: side(fresh, read(fresh.text)) };
  return textOf(objectOf(Object.entries({ ...shown, ...sides })));
}

const bytesOf = (text) => new TextEncoder().encode(text).length;

/** What a service does not read as JSON is no order, whatever we think of it. */
function readOrder(text, input, code) {
  if (text === undefined || code === "INVALID_JSON") return undefined;
  return input === "lenient" ? asRead(read(text), ORDER) : read(text);
}

const isSomebodyElses = (ownerId, orders) => ownerId !== undefined && ownerId !== "" && ownerId !== orders;

/** An order, or any JSON. A string is the text of what is no JSON object. */
function requestShown(request, redactor) {
  if (request === undefined) return stringValue("");
  const shown = redactor.redact(request, ORDER, { drops: true });
  return typeOf(shown) === "string" ? stringValue(textOf(shown)) : shown;
}

/** The old service's answer as JSON, or its text where it is none. Null if it is not whole. */
function bodyOf({ text }) {
  if (text === undefined) return null;
  try {
    return read(text);
  } catch {
    return stringValue(text);
  }
}

/** Moves the order's address to another point of its zone. False if there is none. */
async function placeElsewhere(request, zones, standIns) {
  const shipping = last(request, "shipping");
  if (typeOf(shipping) !== "object") return true;
  const places = [
    ["shippingLon", standIns.longitudes],
    ["shippingLat", standIns.latitudes],
  ];
  const given = places.map(([name]) => last(shipping, name) ?? numberValue("0"));
  if (!given.every(isNumber)) return true; // no valid order
  const point = given.map((value) => Number(numberText(value)));
  const brcode = last(shipping, "brcode");
  const moved = point.every(Number.isFinite)
    ? await zones.moved(isNumber(brcode) ? Number(numberText(brcode)) : DEFAULTS.Shipping.brcode, point)
    : [Infinity, Infinity];
  if (moved === undefined) return false;
  places.forEach(([name, numbers], axis) => {
    if (Number.isFinite(moved[axis])) numbers.put(numberText(given[axis]), `${moved[axis]}`);
    else numbers.putText(numberText(given[axis]), "1e999"); // as wrong as it was
    if (!isNumber(last(shipping, name)) && moved[axis] !== 0) membersOf(shipping).push([name, given[axis]]); // its default is 0
  });
  return true;
}

const isNumber = (value) => typeOf(value) === "number";

/** The new side's own sentences show what is wrong; the ids in them have stand-ins. Any other sentence may hold anything. */
function keepMessage({ text, code }, standIns) {
  if (code === undefined || !Object.hasOwn(MESSAGES, code)) return;
  const { error } = JSON.parse(text);
  standIns.putText(error, MESSAGES[code](error, standIns));
}

/** It names fields, and numbers that are nobody's. */
const asItIs = (message) => message;

const MESSAGES = {
  INVALID_JSON: asItIs,
  VALIDATION_ERROR: asItIs,
  LIMIT_EXCEEDED: asItIs,
  OVERFLOW: asItIs,
  INTERNAL: asItIs,
  BRANCH_NOT_AVAILABLE: asItIs,
  BRANCH_NOT_IN_POLYGON: asItIs,
  NATIONWIDE_RATE_NOT_FOUND: (message, standIns) =>
    message.replace(/^(No nationwide rate for )(.*)(\/[A-Z]+)$/s, (_, begin, postcode, mode) => begin + standIns.postcode(postcode) + mode),
  VOUCHER_NOT_FOUND: (message, standIns) =>
    message.replace(/^(Voucher )(.*)( not found)$/s, (_, begin, id, end) => begin + standIns.id(id) + end),
  PRODUCT_PRICE_NOT_FOUND: (message, standIns) =>
    message.replace(/^(No price for -?\d+\/)(.*)$/s, (_, begin, branchId) => begin + standIns.branch(branchId)),
};
