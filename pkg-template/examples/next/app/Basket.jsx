"use client";

import { createPricer } from "order-cost";
import { customerText } from "order-cost/messages";
import { useBasket } from "order-cost/react";
import { use, useState } from "react";

const RICE = { cprcode: 1002, productName: "ข้าวหอมมะลิ", quantity: 1 };
const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "code" });

/** @type {import("order-cost").Host} */
const host = {
  async lookupPrices(keys, { signal }) {
    const response = await fetch("/api/prices", { method: "POST", body: JSON.stringify(keys), signal });
    if (!response.ok) throw new Error(`/api/prices answered ${response.status}`);
    return response.json();
  },
};

// The server renders this component too.
const loading = createPricer(host);
const autoSettle = typeof window !== "undefined";

/** `sent` are the facts that the server has asked for: the page asks only for what they lack. */
export function Basket({ order, sent }) {
  const pricer = use(loading);
  const [basket] = useState(() => pricer.basket(order, { facts: pricer.facts(sent), autoSettle }));
  const { rows, totals, status, error, order: current } = useBasket(basket);
  const [answer, setAnswer] = useState("");

  async function send() {
    const response = await fetch("/api/order", { method: "POST", body: JSON.stringify(current) });
    const { error, grandTotal } = await response.json();
    setAnswer(error ?? `Ordered for ${baht.format(grandTotal)}`);
  }

  return (
    <section aria-label="Basket">
      {rows.map(({ key, productName, quantity }) => (
        <p key={key}>
          {productName}{" "}
          <input
            type="number"
            min="0"
            aria-label={`Quantity of ${productName}`}
            value={quantity || ""}
            onChange={(event) => basket.setQuantity(key, Math.min(Math.abs(parseInt(event.target.value, 10)) || 0, 9999))}
          />
        </p>
      ))}
      <button type="button" onClick={() => basket.addProduct(RICE)}>
        Add {RICE.productName}
      </button>{" "}
      <output>{status === "current" ? baht.format(totals.grandTotal) : "…"}</output>{" "}
      <button type="button" onClick={send}>
        Order
      </button>
      {error && <p role="alert">{customerText(error, "en", { product: (line) => rows[line].productName })}</p>}
      <p role="status">{answer}</p>
    </section>
  );
}
