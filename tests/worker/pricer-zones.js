// A Worker for the tests: its pricer asks for the delivery zones, and the answer takes as long as the test says.
import { createPricer } from "order-cost";
import { checkPrice, checkZones } from "order-cost/data";
import { deliveredBy, squareZones } from "../zones.js";

const ZONES = squareZones(30);
const ORDER = {
  productList: [{ cprcode: 1, productName: "", quantity: 1 }],
  shipping: deliveredBy("REGULAR"),
};

let calls = 0;
let pause;
let pricer;

const make = (deadlineMs) =>
  createPricer(
    { lookupPrices: () => ['{"price":7}'] },
    {
      deadlineMs,
      deliveryZones: async () => {
        calls += 1;
        // A timer belongs to the request that started it, as every input and output does.
        await new Promise((resolve) => setTimeout(resolve, pause));
        return JSON.stringify(ZONES);
      },
    },
  );

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const number = (name) => Number(searchParams.get(name));
    if (pathname === "/checks") return Response.json([checkPrice('{"price":-1}'), checkZones("{")]);
    if (pathname === "/new") {
      calls = 0;
      pricer = await make(number("deadline"));
    }
    if (pathname === "/pause") pause = number("ms");
    if (pathname !== "/price") return Response.json(calls);
    const outcome = await pricer.calculate(ORDER).then(
      ({ deliveryFee }) => deliveryFee,
      ({ message }) => message,
    );
    // Fails in the context of another request.
    const body = await request.text();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return Response.json([outcome, body]);
  },
};
