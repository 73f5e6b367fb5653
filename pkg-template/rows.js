// The response as an object, its rows put together from numbers: V8 takes several times as long for their JSON text.

const decoder = new TextDecoder();

/** How many numbers the module gives of a row. Their order is that of src/js/rows.rs. */
const WIDTH = 15;

/**
 * The priced order of a job. Outside the entries of the module: what fails here damages nothing there.
 *
 * @param {import("./instance.js").HeldJob} job
 * @param {string} text the order's JSON text, as it was priced
 */
export function pricedOrder(job, text) {
  const numbers = job.enter("rows");
  // The text is lent, until the module is entered again.
  const order = JSON.parse(decoder.decode(job.enter("withoutRows")));
  // The key is there, in its place.
  order.productList = rows(numbers, order.branchId, strings(text));
  return order;
}

/** Reads the strings of a JSON text by where they begin and end. */
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
