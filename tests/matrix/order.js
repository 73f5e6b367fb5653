// The one order that every consumer prices, and the naive model's answer.
import { readFileSync } from "node:fs";
import { price } from "../model/price.js";

// Thai text, two schedules, a valid coupon, an invalid one, and a voucher.
const testCase = JSON.parse(readFileSync(new URL("../golden/d01-full-order.json", import.meta.url), "utf8"));
const { zones: deliveryZones, host: facts } = testCase;
const order = withoutComputed(testCase.order);

export const body = JSON.stringify(order);
export const expected = price({ ...testCase, order }).text;

const values = { order, facts, deliveryZones };

/** The order as source code, by file name. */
export const orderModules = () => ({
  "order.mjs": `${constants((name) => name)}export ${agreeing}\n`,
  "order.cjs": `module.exports = ${JSON.stringify(values)};\nmodule.exports.agreeing = ${agreeing};\n`,
});

/** A `createPricer` whose pricers price with both entries, `order-cost` and `order-cost/calculate`: the bytes must agree. */
function agreeing(...entries) {
  return async (...given) => {
    const pricers = await Promise.all(entries.map((createPricer) => createPricer(...given)));
    const calculateJson = async (...order) => {
      const [bytes, others] = await Promise.all(pricers.map((pricer) => pricer.calculateJson(...order)));
      if (bytes.join() !== others.join()) throw new Error("order-cost/calculate gives other bytes than order-cost");
      return bytes;
    };
    return { calculateJson };
  };
}

/** The same in TypeScript: a literal that must fit the package's types. */
export const typedOrderModule = () => ({ "order.ts": IMPORTS + constants((name) => `${name}: ${TYPES[name]}`) });

const IMPORTS = `import type { DeliveryZones, OrderInput } from "order-cost";
import type { Facts } from "order-cost/testing";
`;
const TYPES = { order: "OrderInput", facts: "Facts", deliveryZones: "DeliveryZones" };

const constants = (declared) =>
  Object.entries(values)
    .map(([name, value]) => `export const ${declared(name)} = ${JSON.stringify(value)};\n`)
    .join("");

/** The order without computed fields, as the request types have it. */
function withoutComputed({ shipping, ...rest }) {
  const scheduleList = shipping.scheduleList.map(({ deliveryFee, expressFee, ...schedule }) => schedule);
  return { ...rest, shipping: { ...shipping, scheduleList } };
}
