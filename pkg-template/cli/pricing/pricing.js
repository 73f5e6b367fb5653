// Prices blocks of records, one record after the other: all facts are in memory, so parallel calls would save no time.
import { explainJson } from "../../core/index.js";
import { TOO_MUCH } from "../files/index.js";
import { bill } from "./bill.js";
import { createFactsPricer, forgetCalls } from "./facts-pricer.js";
import { ledger } from "./ledger.js";
import { orderFault } from "./order-fault.js";

/**
 * Returns a function that prices a block of records. It gives the `text` to write, and the `faults` as sentences.
 * @param {import("./facts-pricer.js").Setup & { format: "json" | "table", explain: boolean, color: boolean }} chosen
 */
export async function createPricing({ format, explain, color, ...setup }) {
  const { PricingError } = await import("order-cost");
  const { factsName } = setup;
  const { pricer, host, facts } = await createFactsPricer(setup);
  const write = writer(pricer, { explain, format, color });

  return async (records) => {
    const texts = [];
    const faults = [];
    for (const record of records) {
      try {
        texts.push(await write(record));
      } catch (error) {
        const isTooMuch = error instanceof RangeError;
        if (!(error instanceof PricingError || isTooMuch)) throw error;
        faults.push(isTooMuch ? `${record.place}: ${TOO_MUCH}` : orderFault(record, error, { factsName, facts }));
        if (format === "json") texts.push(Buffer.from(`${JSON.stringify(isTooMuch ? { error: TOO_MUCH } : error)}\n`));
      }
      forgetCalls(host);
    }
    return { text: Buffer.concat(texts), faults };
  };
}

/** Returns a function that prices a record and gives the bytes to write. */
function writer(pricer, { explain, format, color }) {
  const answer = (bytes) => (explain ? pricer[explainJson](bytes) : pricer.calculateJson(bytes));
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

/** Puts JSON on one line. Passthrough values keep their white space (D6); in JSON a newline is only white space. */
function oneLine(json) {
  for (let at = json.indexOf(NEW_LINE); at >= 0; at = json.indexOf(NEW_LINE, at)) json[at] = SPACE;
  return Buffer.concat([json, LINE_END]);
}

const LINE_END = Buffer.from("\n");
