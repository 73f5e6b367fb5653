import { useBasket } from "./useBasket.js";

const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "code" });

export function Basket({ pricer }) {
  const { basket, rows, totals, status, error } = useBasket(pricer);
  if (!basket) return null;

  return (
    <section aria-label="Basket">
      <button onClick={() => basket.addProduct({ cprcode: 1001, productName: "น้ำปลา", quantity: 1 })}>Add น้ำปลา</button>
      <button onClick={() => basket.setCoupons(["SAVE10"])}>Use SAVE10</button>
      <ul>
        {rows.map(({ productName, quantity, price, rowTotal }, line) => (
          <li key={line}>
            {productName} {price === null ? "…" : baht.format(price)}{" "}
            <input
              type="number"
              min="1"
              aria-label={`Quantity of ${productName}`}
              value={quantity}
              onChange={(event) => basket.setQuantity(line, event.target.valueAsNumber || 1)}
            />{" "}
            {baht.format(rowTotal)} <button onClick={() => basket.removeProduct(line)}>Remove</button>
          </li>
        ))}
      </ul>
      <p>
        Total <output>{baht.format(totals.grandTotal)}</output> {status === "pending" && "(asking …)"}
      </p>
      {error && <p role="alert">{error.message}</p>}
    </section>
  );
}
