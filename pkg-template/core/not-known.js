// What an order lacks if nobody may be asked: the questions, by the keys of facts.
import { LOOK_UPS } from "../order-fields.js";
import { Refusal } from "./error.js";
import { questionsOf } from "./host.js";

/** A message shows so many keys of a part of the facts, and so many letters of a key. */
const MOST_KEYS = 3;
const MOST_LETTERS = 40;

const decoder = new TextDecoder();

/** The key of a price, and of a rate, among facts. */
export const priceKey = ({ cprcode, branchId }) => `${cprcode}/${branchId}`;
export const rateKey = ({ shippingPostcode, nationwideMode }) => `${shippingPostcode}/${nationwideMode}`;

/**
 * The refusal of an order that needs answers. Its job is of no use any more.
 * @param {import("./instance.js").HeldJob} job
 */
export function notKnown(job) {
  const lacks = lacksOf(job);
  const parts = Object.entries(lacks).map(([part, keys]) => (keys === true ? part : `${part} ${shown(keys)}`));
  return new Refusal({ code: "NOT_KNOWN", message: `Not known: ${parts.join("; ")}`, retryable: false, notKnown: lacks });
}

/** @returns {import("order-cost").FactKeys} */
function lacksOf(job) {
  const lacks = {};
  /** @type {{ lookup: string, argument: any }[]} */
  const questions = questionsOf(job, false);
  for (const { lookup, argument } of questions) {
    const part = LOOK_UPS[lookup]?.part ?? lookup;
    if (lookup === "lookupPrices") lacks[part] = argument.map(priceKey);
    else if (lookup === "nationwideRate") lacks[part] = [...(lacks[part] ?? []), rateKey(argument)];
    else lacks[part] = argument ?? true;
  }
  const codes = JSON.parse(decoder.decode(job.enter("couponCodes")));
  if (codes.length > 0) lacks[LOOK_UPS.validateCoupons.part] = codes;
  return lacks;
}

function shown(keys) {
  const words = keys.slice(0, MOST_KEYS).map((key) => {
    const letters = Array.from(key.slice(0, 2 * MOST_LETTERS));
    return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join("")}…` : key;
  });
  return words.join(", ") + (keys.length > MOST_KEYS ? ` and ${keys.length - MOST_KEYS} more` : "");
}
