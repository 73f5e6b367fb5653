// Makes the response an object and builds its rows from numbers: V8 takes several times as long to parse them as JSON.
import { rowObjects } from "../wasm/row-objects.js";

const decoder = new TextDecoder();

/**
 * The priced order of a job; `text` is the order's JSON text, as it was priced. Runs outside the entries of the module:
 * here a RangeError does not count as damage.
 */
export function pricedOrder(job, text) {
  const numbers = job.enter("rows");
  // The module lends the text until the next entry, so it is decoded at once.
  const order = JSON.parse(decoder.decode(job.enter("withoutRows")));
  // The key already exists, in its place: the order of the keys stays (D1).
  order.productList = rowObjects(numbers, order.branchId, strings(text));
  return order;
}

/** Returns a function that reads a string of a JSON text by its start and end. */
function strings(text) {
  const hasEscapes = text.includes("\\");
  return (start, end) => {
    const string = text.slice(start, end);
    return hasEscapes && string.includes("\\") ? JSON.parse(`"${string}"`) : string;
  };
}
