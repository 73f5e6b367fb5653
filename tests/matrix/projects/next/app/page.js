"use client";

import { useEffect, useState } from "react";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { deliveryZones, facts, order } from "../order.mjs";

export default function Page() {
  const [priced, setPriced] = useState("");
  useEffect(() => {
    createPricer(hostFromFacts(facts), { deliveryZones })
      .then((pricer) => pricer.calculateJson(JSON.stringify(order)))
      .then((bytes) => setPriced(new TextDecoder().decode(bytes)));
  }, []);
  return <output id="priced">{priced}</output>;
}
