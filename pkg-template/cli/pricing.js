// Prices blocks of records. One after the other: with the facts at hand there is nothing to wait for side by side.
import { hostFromFacts } from "order-cost/testing";
import { explainJson } from "../internal.js";
import { bill } from "./bill.js";
import { Failure } from "./failure.js";
import { readFacts } from "./facts.js";
import { ledger } from "./ledger.js";

/** Makes what prices a block of records: gives the `text` to write, and the `faults`, a sentence each. */
export async function createPricing({ factsName, factsText, zonesName, zonesText, options, format, explain, color }) {
  const { createPricer, PricingError } = await import("order-cost");
  const { deliveryZones, ...facts } = readFacts(factsName, factsText);
  const host = hostFromFacts(facts);
  const pricer = await createPricer(host, options);
  setZones(pricer, zonesName ?? factsName, zonesText ?? deliveryZones);
  const write = writer(pricer, { explain, format, color });

  return async (records) => {
    const texts = [];
    const faults = [];
    for (const record of records) {
      try {
        texts.push(await write(record));
      } catch (error) {
        if (!(error instanceof PricingError)) throw error;
        faults.push(`${record.place}: ${error.message}`);
        if (format === "json") texts.push(Buffer.from(`${JSON.stringify(error)}\n`));
      }
      host.calls.length = 0; // Kept for test suites; here they would be all that was ever asked.
    }
    return { text: Buffer.concat(texts), faults };
  };
}

function setZones(pricer, name, text) {
  if (text === undefined) return;
  try {
    pricer.setDeliveryZones(text);
  } catch (error) {
    throw new Failure(`${name}: ${error.message}`);
  }
}

/** Gives the bytes of a record's priced order, as they are to be written. */
function writer(pricer, { explain, format, color }) {
  const answer = (bytes) => (explain ? pricer.explain[explainJson].call(pricer, bytes) : pricer.calculateJson(bytes));
  if (format === "json") {
    return async ({ bytes }) => oneLine(await answer(bytes));
  }
  const table = explain ? ledger : bill;
  return async ({ bytes, place, isWhole }) => {
    const text = table(JSON.parse(decoder.decode(await answer(bytes))), color);
    return Buffer.from(isWhole ? `${text}\n` : `${place}\n\n${text}\n\n`);
  };
}

const decoder = new TextDecoder();
const NEW_LINE = 0x0a;
const SPACE = 0x20;

/** What passes through keeps its white space (D6); a new line in JSON is nothing else. */
function oneLine(json) {
  for (let at = json.indexOf(NEW_LINE); at >= 0; at = json.indexOf(NEW_LINE, at)) json[at] = SPACE;
  return Buffer.concat([json, LINE_END]);
}

const LINE_END = Buffer.from("\n");
