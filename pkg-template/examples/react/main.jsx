import { createPricer } from "order-cost";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Basket } from "./Basket.jsx";
import { host } from "./host.js";

const root = createRoot(document.querySelector("#root"));

// One pricer for the whole application.
createPricer(host).then((pricer) => {
  const basket = pricer.basket({ productList: [] }, { autoSettle: true });
  root.render(
    <StrictMode>
      <Basket basket={basket} />
    </StrictMode>,
  );
});
