import { customerText } from "order-cost/messages";
import { useBasket } from "order-cost/react";
import { basket, shelf } from "./basket.js";

const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "narrowSymbol" });

export default function App() {
  const { rows, totals, status, problems, discountResult } = useBasket(basket);

  return (
    <>
      {shelf.map((product) => (
        <button type="button" key={product.cprcode} onClick={() => basket.addProduct(product)}>
          Add {product.productName}
        </button>
      ))}
      <button type="button" onClick={() => basket.setCoupons(["SAVE10"])}>
        Use SAVE10
      </button>
      {rows.map(({ key, productName, quantity, rowTotal }) => (
        <p key={key}>
          {productName} × {quantity} = {baht.format(rowTotal)}{" "}
          <button type="button" onClick={() => basket.setQuantity(key, quantity + 1)}>
            +
          </button>
          <button type="button" onClick={() => basket.removeProduct(key)}>
            Remove
          </button>
        </p>
      ))}
      {problems.map((problem, index) => (
        <p key={index}>{customerText(problem, "en", { product: (line) => rows[line].productName })}</p>
      ))}
      {discountResult.failedCoupons.map((failedCoupon) => (
        <p key={failedCoupon}>{customerText({ failedCoupon }, "en")}</p>
      ))}
      <p>
        Total {baht.format(totals.grandTotal)} ({status})
      </p>
    </>
  );
}
