import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createPricer } from "order-cost";
import { OrderForm } from "./OrderForm.jsx";
import { host } from "./host.js";

const root = createRoot(document.querySelector("#root"));

// The form's checks use the module that the pricer has loaded.
createPricer(host).then((pricer) =>
  root.render(
    <StrictMode>
      <OrderForm pricer={pricer} />
    </StrictMode>,
  ),
);
