import { createPricer } from "order-cost";
import { askingVersion, lending, soon } from "order-cost/internal";
import { createTurns } from "../look-ups/index.js";
import { recordable } from "./recording.js";

/** The zones in use, and those that the orders under way may still need. */
const MOST_PRICERS = 2;

/** A body of this size may list thousands of products, and two such orders take half of an isolate (CAPACITY.md). */
const LARGE_BODY_BYTES = 262_144;
const MOST_LARGE_ORDERS = 2;

/**
 * Prices each order with the version of the catalogue that is in use when it begins. Versions with the same zones share
 * a pricer, because to index zones takes as long as hundreds of orders; it asks each order's own version for prices. So
 * no order mixes two.
 *
 * @param {ReturnType<typeof import("../look-ups/host.js").createHost>} host
 * @param {import("order-cost").PricerOptions} options
 * @param {Pick<ReturnType<typeof import("../service/connected-catalogue.js").connectCatalogue>, "current">} catalogue
 * @param {ReturnType<typeof import("../receipts/receipts.js").createReceipts>} receipts
 */
export function createPricing({ lookUps, keepRates }, options, catalogue, receipts) {
  /** By the hash of their zones, or by the reason why there is no version. The oldest first. */
  const pricers = new Map();
  const inTurn = createTurns(MOST_LARGE_ORDERS);

  /** Orders that begin together each make a pricer, because they must share no promise; the first is used. */
  function pricerOf(version) {
    const name = nameOf(version);
    return pricers.get(name) ?? makePricer(version).then((made) => keptPricer(name, made));
  }

  function keptPricer(name, made) {
    if (!pricers.has(name)) pricers.set(name, made);
    if (pricers.size > MOST_PRICERS) pricers.delete(pricers.keys().next().value);
    return pricers.get(name) ?? made;
  }

  function makePricer({ lookupPrices, deliveryZones }) {
    const ofOrder = lookupPrices && ((keys, { context: order, signal }) => order.version.lookupPrices(keys, order, signal));
    if (ofOrder) askingVersion(ofOrder, (order) => order.version.atHand);
    return createPricer(recordable({ ...lookUps, lookupPrices: ofOrder }), { ...options, deliveryZones });
  }

  function price(body, call) {
    const order = call.context;
    return soon(order.waitFor("the catalogue", order.versionInUse), (version) => {
      order.version = version;
      return soon(pricerOf(version), (pricer) => pricer.calculateJson[lending].call(pricer, body, call, copied));
    });
  }

  return {
    /** An order begins with its headers: it keeps the version of that moment, however long its body takes. */
    begin(order) {
      order.versionInUse = catalogue.current();
    },

    calculateJson(body, call) {
      const order = call.context;
      order.arrived();
      if (order.recording) order.recording.body = body;
      const seal = receipts.begin(body, call);
      const pricing = body.length > LARGE_BODY_BYTES ? inTurn(() => price(body, call), call.signal) : price(body, call);
      return soon(pricing, (priced) => {
        keepRates(order);
        if (order.recording) order.recording.priced = priced;
        return soon(seal?.(priced), (receipt) => {
          order.receipt = receipt;
          return priced;
        });
      });
    },
  };
}

const copied = (view) => new Uint8Array(view);

const nameOf = ({ zones, reason }) => (zones === undefined ? reason : zones);
