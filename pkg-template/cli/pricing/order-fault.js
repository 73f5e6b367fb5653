// Says in one sentence why an order of a file was not priced: where its JSON is broken, or which fact is wrong.
import { factPlace } from "../../pricer/index.js";
import { bytesFault, faultSentence } from "../files/index.js";

/** `facts` are the facts of the file `factsName`. */
export function orderFault(record, error, { factsName, facts }) {
  if (error.code === "INVALID_JSON") {
    const fault = bytesFault(record.bytes);
    return fault ? faultSentence(record, fault, "expected an order as JSON") : `${record.place}: nested more than 128 levels`;
  }
  const fact = factPlace(error, () => JSON.parse(`${record.bytes}`), facts);
  return `${record.place}: ${fact ? `${factsName}: ${pathOf(fact.keys)}: ${fact.wrong}` : error.message}`;
}

/** @param {string[]} keys */
const pathOf = ([table, key]) => (key === undefined ? table : `${table}[${JSON.stringify(key)}]`);
