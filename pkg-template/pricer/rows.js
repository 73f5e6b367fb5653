// Makes the response an object and builds its rows from numbers: V8 takes several times as long to parse them as JSON.

const decoder = new TextDecoder();

/** How many numbers the module gives for a row. src/js/rows.rs defines their order. */
const WIDTH = 15;

/**
 * The priced order of a job; `text` is the order's JSON text, as it was priced. Runs outside the entries of the module:
 * here a RangeError does not count as damage.
 */
export function pricedOrder(job, text) {
  const numbers = job.enter("rows");
  // The module lends the text until the next entry, so it is decoded at once.
  const order = JSON.parse(decoder.decode(job.enter("withoutRows")));
  // The key already exists, in its place: the order of the keys stays (D1).
  order.productList = rows(numbers, order.branchId, strings(text));
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

function rows(numbers, branchId, string) {
  const rows = [];
  for (let at = 0; at < numbers.length; at += WIDTH) {
    rows.push({
      cprcode: numbers[at],
      productName: string(numbers[at + 1], numbers[at + 2]),
      quantity: numbers[at + 3],
      scheduleId: numbers[at + 4],
      isPreOrder: numbers[at + 5] === 1,
      remark: string(numbers[at + 6], numbers[at + 7]),
      branchId,
      originalPrice: numbers[at + 8],
      price: numbers[at + 9],
      rowTotal: numbers[at + 10],
      discountedRowTotal: numbers[at + 11],
      settlementPrice: numbers[at + 12],
      weight: numbers[at + 13],
      isControlledProduct: numbers[at + 14] === 1,
    });
  }
  return rows;
}
