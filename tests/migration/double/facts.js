import { requestIdOf } from "order-cost/worker";
import { onCloudflare } from "../../../worker/src/cloudflare/platform.js";
import { createHost } from "../../../worker/src/look-ups/host.js";
import { Order } from "../../../worker/src/orders/order.js";
import { connectCatalogue } from "../../../worker/src/service/connected-catalogue.js";
import { readBody } from "../../model/body.js";
import { Fault } from "../../model/fault.js";
import { distinct, handed, readOrder } from "../../model/order.js";
import { price } from "../../model/price.js";

/** As the pricing Worker's own defaults. */
const DATA = { refreshMs: 30_000, maxAgeMs: 300_000, cacheBytes: 2 ** 25, deadlineMs: 5_000 };

/**
 * Makes the function that finds what an order needs, in the stores and services of the pricing Worker.
 *
 * @param {object} env the bindings of the pricing Worker
 * @param {(work: Promise<unknown>) => void} hold
 * @returns {(body: string, request: Request, ctx: ExecutionContext) => Promise<object>} the order and its facts in the shape
 *   of a golden case
 */
export function createFacts(env, hold) {
  const platform = onCloudflare(env);
  const catalogue = connectCatalogue(platform.readCatalogue, { ...DATA, hold });
  const { lookUps } = createHost(platform, { ratesKeepMs: 0 });

  return async (body, request, ctx) => {
    const order = readable(body);
    if (!order) return { body };
    const context = new Order(request, ctx);
    const call = { context, requestId: requestIdOf(request), signal: request.signal };
    const version = await catalogue.current();
    const zones = needsZones(order) ? zonesOf(order, await version.deliveryZones()) : undefined;
    const host = await factsOf(
      order,
      {
        lookupPrices: (keys) => version.lookupPrices(keys, context),
        lookupVouchers: (ids) => lookUps.lookupVouchers(ids, call),
        nationwideRate: (query) => lookUps.nationwideRate(query, call),
        validateCoupons: (question) => lookUps.validateCoupons(question, call),
      },
      (facts) => price({ body, zones, host: facts }).couponRequest,
    );
    return { body, zones, host };
  };
}

/** The order as the model reads it; undefined if the body is not an order. */
function readable(body) {
  try {
    return readOrder(readBody({ body }));
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const slotsOf = ({ shipping }) => (shipping?.shippingType === "DELIVERY" ? shipping.scheduleList : []);
const needsZones = (order) => slotsOf(order).some(({ mode }) => mode === "REGULAR" || mode === "EXPRESS");

/** Those of the order's branch: the model is naive, and takes 10 ms for all of the demo's. */
function zonesOf({ shipping: { brcode } }, text) {
  const { type, features } = JSON.parse(text);
  return { type, features: features.filter(({ properties }) => properties.brcode === brcode) };
}

/** What each look-up answers, or in `fails` the message that it fails with. */
async function factsOf(order, lookUps, couponRequestOf) {
  const fails = {};
  const ask = async (name, question) => {
    try {
      return await lookUps[name](question);
    } catch ({ message }) {
      fails[name] = { throws: message };
      return undefined;
    }
  };
  const [prices, vouchers, rates] = await Promise.all([pricesOf(order, ask), vouchersOf(order, ask), ratesOf(order, ask)]);
  const facts = { prices, vouchers, rates, fails };
  const question = couponRequestOf(facts);
  return question ? { ...facts, coupons: await ask("validateCoupons", question) } : facts;
}

async function pricesOf({ productList, branchId: branch }, ask) {
  const branchId = handed(branch);
  const keys = [...new Set(productList.map(({ cprcode }) => cprcode))].map((cprcode) => ({ cprcode, branchId }));
  const records = await ask("lookupPrices", keys);
  return table(
    keys.map(({ cprcode }) => `${cprcode}/${branchId}`),
    records,
  );
}

async function vouchersOf({ voucherId }, ask) {
  const ids = distinct(voucherId).map(handed);
  return ids.length === 0 ? {} : table(ids, await ask("lookupVouchers", ids));
}

async function ratesOf(order, ask) {
  const modes = slotsOf(order)
    .filter(({ mode }) => mode === "NATIONWIDE")
    .map(({ nationwideMode }) => nationwideMode);
  const distinctModes = [...new Set(modes)];
  const query = (nationwideMode) => ({ shippingPostcode: handed(order.shipping.shippingPostcode), nationwideMode });
  return table(distinctModes, await Promise.all(distinctModes.map((mode) => ask("nationwideRate", query(mode)))));
}

const table = (keys, answers = []) => Object.fromEntries(keys.map((key, index) => [key, answers[index]]));
