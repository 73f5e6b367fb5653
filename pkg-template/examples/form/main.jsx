import { createPricer } from "order-cost";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { host } from "./host.js";
import { OrderForm } from "./OrderForm.jsx";

const root = createRoot(document.querySelector("#root"));

// The form's checks use the module that the pricer has loaded.
createPricer(host).then((pricer) =>
  root.render(
    <StrictMode>
      <OrderForm pricer={pricer} />
    </StrictMode>,
  ),
);
