// Edits that several views make.

/** Adds one unit of a product, with the first schedule. */
export function addUnit(basket, { cprcode, th }) {
  const scheduleId = basket.order.shipping?.scheduleList?.[0]?.scheduleId ?? 0;
  basket.addProduct({ cprcode, productName: th, quantity: 1, scheduleId });
}

/** The quantity of the row with this key. */
export const quantityOf = ({ rows }, key) => rows.find((row) => row.key === key)?.quantity;

/** Changes fields of the shipping. */
export const ship = (basket, fields) => basket.setShipping({ ...basket.order.shipping, ...fields });
