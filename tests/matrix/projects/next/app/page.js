"use client";

import { useEffect, useState } from "react";
import * as whole from "order-cost";
import * as withoutBaskets from "order-cost/calculate";
import { hostFromFacts } from "order-cost/testing";
import { agreeing, deliveryZones, facts, order } from "../order.mjs";

const createPricer = agreeing(whole.createPricer, withoutBaskets.createPricer);

export default function Page() {
  const [priced, setPriced] = useState("");
  useEffect(() => {
    createPricer(hostFromFacts(facts), { deliveryZones })
      .then((pricer) => pricer.calculateJson(JSON.stringify(order)))
      .then((bytes) => setPriced(new TextDecoder().decode(bytes)));
  }, []);
  return <output id="priced">{priced}</output>;
}
