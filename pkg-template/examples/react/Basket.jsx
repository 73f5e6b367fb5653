import { customerText } from "order-cost/messages";
import { useBasket } from "order-cost/react";
import { useState } from "react";

const SHELF = [
  { cprcode: 1001, productName: "น้ำปลา", quantity: 1 },
  { cprcode: 1002, productName: "ปลาทู", quantity: 1 }, // this branch does not have it
];
/** What a customer types: 0 while the field is empty. */
const units = (text) => Math.min(Math.abs(parseInt(text, 10)) || 0, 9999);
const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "code" });
/** What a page tells of a coupon, by its state. */
const couponText = ({ code, state, amount, reason }) =>
  ({
    accepted: `${code}: ${baht.format(-amount)}`,
    withoutEffect: `${code} takes nothing off`,
    refused: reason ?? customerText({ failedCoupon: code }, "en"),
    waiting: `${code}: ${baht.format(-amount)} …`,
    notChecked: `${code} is not checked yet`,
  })[state];

export function Basket({ basket }) {
  const { order, rows, totals, status, isSettling, problems, coupons } = useBasket(basket);
  const [orderBefore, setOrderBefore] = useState(null);

  const textOf = (problem) => customerText(problem, "en", { product: (line) => rows[line].productName });
  // The other problems stand at their rows.
  const general = problems.filter(({ subject }) => subject?.line === undefined);

  function remove(key) {
    setOrderBefore(order);
    basket.removeProduct(key);
  }

  function undo() {
    setOrderBefore(null);
    basket.replace(orderBefore);
  }

  return (
    <section aria-label="Basket">
      {SHELF.map((product) => (
        <button type="button" key={product.cprcode} onClick={() => basket.addProduct(product)}>
          Add {product.productName}
        </button>
      ))}
      <button type="button" onClick={() => basket.setCoupons(["SAVE10"])}>
        Use SAVE10
      </button>
      {orderBefore && (
        <button type="button" onClick={undo}>
          Undo
        </button>
      )}
      <ul>
        {rows.map(({ key, productName, quantity, price, rowTotal, problem }) => (
          <li key={key}>
            {productName} {price === null ? "…" : baht.format(price)}{" "}
            <input
              type="number"
              min="0"
              aria-label={`Quantity of ${productName}`}
              value={quantity || ""}
              onChange={(event) => basket.setQuantity(key, units(event.target.value))}
            />{" "}
            {baht.format(rowTotal)}{" "}
            <button type="button" onClick={() => remove(key)}>
              Remove
            </button>
            {problem && <p>{textOf(problem)}</p>}
          </li>
        ))}
      </ul>
      <p>
        Total <output>{baht.format(totals.grandTotal)}</output> {(isSettling || status === "pending") && "(asking …)"}
      </p>
      {coupons.map((coupon) => (
        <p key={coupon.code}>{couponText(coupon)}</p>
      ))}
      {[...new Set(general.map(textOf))].map((text) => (
        <p key={text} role="alert">
          {text}
        </p>
      ))}
      {problems.some(({ retryable }) => retryable) && (
        <button type="button" onClick={() => basket.settle().catch(() => {})}>
          Try again
        </button> // `problems` says what fails
      )}
    </section>
  );
}
