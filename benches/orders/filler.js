// Adds filler to an order, so that a Worker that echoes it writes as many bytes as a priced order has.

/** The request header that gives the amount of filler. */
export const FILLER = "x-filler";

/**
 * Adds copies of the order's own products and spaces, as many as `filler` says. Changes the order.
 * @param {{ productList: object[], again?: object[], spaces?: string }} order
 * @param {string} filler made by fillerFor
 */
export function fill(order, filler) {
  const [count, spaces] = filler.split(" ").map(Number);
  const { productList } = order;
  order.again = [];
  for (let place = 0; place < count; place += 1) order.again.push(productList[place % productList.length]);
  order.spaces = " ".repeat(spaces);
  return order;
}

/**
 * The filler that gives exactly this many bytes of JSON: as many products as fit, and spaces for the rest.
 * @param {Uint8Array} body an order
 * @param {number} bytes
 */
export function fillerFor(body, bytes) {
  const order = JSON.parse(new TextDecoder().decode(body));
  const sizes = order.productList.map(byteLength);
  let rest = bytes - byteLength(fill(order, "0 0"));
  if (rest < 0) throw new Error(`An order of ${body.length} bytes cannot be filled up to ${bytes}`);
  let count = 0;
  for (;;) {
    const comma = count > 0 ? 1 : 0;
    const size = sizes[count % sizes.length] + comma;
    if (size > rest) return `${count} ${rest}`;
    rest -= size;
    count += 1;
  }
}

const byteLength = (value) => Buffer.byteLength(JSON.stringify(value));
