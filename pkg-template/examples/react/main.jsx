import { StrictMode, Suspense, use, useState } from "react";
import { createRoot } from "react-dom/client";
import { createPricer } from "order-cost";
import { Basket } from "./Basket.jsx";
import { host } from "./host.js";

const loading = createPricer(host); // one pricer for the whole application

function Shop() {
  const pricer = use(loading);
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button onClick={() => setOpen(!isOpen)}>{isOpen ? "Close the basket" : "Open the basket"}</button>
      {isOpen && <Basket pricer={pricer} />}
    </>
  );
}

createRoot(document.querySelector("#root")).render(
  <StrictMode>
    <Suspense fallback="Loading …">
      <Shop />
    </Suspense>
  </StrictMode>,
);
