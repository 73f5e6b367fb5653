// An order with filler behind it, so that who writes it writes as many bytes as a priced order has.

/** The header in which a request says how much. */
export const FILLER = "x-filler";

/**
 * The order, its own products in turn again, so many, and so many spaces. Changes the order.
 * @param {object} order
 * @param {string} filler as fillerFor gives it
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
 * What makes exactly so many bytes of JSON: all the products that fit, and spaces for the rest.
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
