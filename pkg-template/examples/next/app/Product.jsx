"use client";

import { useEffect, useState } from "react";
import { createPricer } from "order-cost";
import { host } from "./host.js";

const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "code" });

let pricer; // created on first use, because the server runs this module too

async function price(order) {
  pricer ??= await createPricer(host);
  return pricer.calculate(order);
}

/** The total follows the quantity in the browser. (For a whole basket see `useBasket` in ../../react.) */
export function Product({ cprcode, productName }) {
  const [quantity, setQuantity] = useState(1);
  const [total, setTotal] = useState();
  const [answer, setAnswer] = useState("");

  useEffect(() => {
    let isLast = true;
    price({ productList: [{ cprcode, productName, quantity }] }).then(
      ({ grandTotal }) => isLast && setTotal(grandTotal),
      (error) => isLast && setAnswer(error.message),
    );
    return () => (isLast = false);
  }, [cprcode, productName, quantity]);

  async function order() {
    const body = JSON.stringify({ productList: [{ cprcode, productName, quantity }] });
    const response = await fetch("/api/order", { method: "POST", body });
    const { error, grandTotal } = await response.json();
    setAnswer(error ?? `Ordered for ${baht.format(grandTotal)}`);
  }

  return (
    <section aria-label={productName}>
      {productName}{" "}
      <input
        type="number"
        min="1"
        aria-label={`Quantity of ${productName}`}
        value={quantity}
        onChange={(event) => setQuantity(event.target.valueAsNumber || 1)}
      />{" "}
      <output>{total === undefined ? "…" : baht.format(total)}</output> <button onClick={order}>Order</button>
      <p role="status">{answer}</p>
    </section>
  );
}
