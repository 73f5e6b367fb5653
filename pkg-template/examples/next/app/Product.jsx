"use client";

import { useEffect, useState } from "react";
import { createPricer } from "order-cost";
import { customerText } from "order-cost/messages";
import { useBasket } from "order-cost/react";
import { host } from "./host.js";

const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "code" });

let pricer; // created on first use, because the server runs this module too

async function newBasket(order) {
  pricer ??= await createPricer(host);
  return pricer.basket(order, { autoSettle: true });
}

/** The total follows the quantity in the browser. */
export function Product({ cprcode, productName }) {
  const [basket, setBasket] = useState(null);
  const [answer, setAnswer] = useState("");
  const shown = useBasket(basket); // null until there is a basket, so always on the server

  useEffect(() => {
    newBasket({ productList: [{ cprcode, productName, quantity: 1 }] }).then(setBasket);
  }, [cprcode, productName]);

  async function order() {
    const response = await fetch("/api/order", { method: "POST", body: JSON.stringify(shown.order) });
    const { error, grandTotal } = await response.json();
    setAnswer(error ?? `Ordered for ${baht.format(grandTotal)}`);
  }

  return (
    <section aria-label={productName}>
      {productName}{" "}
      <input
        type="number"
        min="0"
        aria-label={`Quantity of ${productName}`}
        disabled={!basket}
        value={(shown?.rows[0].quantity ?? 1) || ""}
        onChange={(event) => basket.setQuantity(0, Math.min(Math.abs(parseInt(event.target.value)) || 0, 9999))}
      />{" "}
      <output>{shown?.status === "current" ? baht.format(shown.totals.grandTotal) : "…"}</output>{" "}
      <button disabled={!basket} onClick={order}>Order</button>
      {shown?.error && <p role="alert">{customerText(shown.error, "en", { product: () => productName })}</p>}
      <p role="status">{answer}</p>
    </section>
  );
}
