// What CommonJS requires has the same types.
import orderCost = require("order-cost");
import url = require("order-cost/url");
import catalogue = require("order-cost/catalogue");
import compare = require("order-cost/compare");
import data = require("order-cost/data");
import http = require("order-cost/http");
import keeping = require("order-cost/keep");
import receipt = require("order-cost/receipt");
import testing = require("order-cost/testing");
import worker = require("order-cost/worker");
import messages = require("order-cost/messages");
import react = require("order-cost/react");
import vue = require("order-cost/vue");

const pricer: Promise<orderCost.Pricer> = orderCost.createPricer(testing.hostFromFacts({ prices: {} }));
const slow: orderCost.Host = testing.unreliable({}, { delayMs: [50, 800], failures: 0.2, seed: 3 });
// @ts-expect-error: two numbers
testing.unreliable({}, { delayMs: [50] });
const same: Promise<orderCost.Pricer> = url.createPricer({});
const handler = worker.createFetchHandler(() => pricer);
const listener = http.createNodeListener(handler);
const ofFiles: catalogue.Catalogue = catalogue.createCatalogue({ read: catalogue.fromUrl("https://shop.example/catalogue") });
const differences: compare.FieldDifference[] = compare.compareOrders("{}", {});
const refusals: receipt.ReceiptRefusal[] = ["malformed", "unknownKey", "signature", "request", "response", "expired", "unsupported"];
const faults: string[] = data.checkPrice("{}").map(({ column, expected }) => column + expected);
const text: string = messages.customerText("used", "th");
const own: messages.Texts = { ...messages.english, someProduct: messages.thai.someProduct };
const hooks = (basket: orderCost.Basket) => [react.useBasket(basket), vue.useBasket(basket).value];
const end = (basket: orderCost.Basket): (() => void) => keeping.keep(basket);
// @ts-expect-error: there is no such look-up
orderCost.createPricer({ lookupPrice: () => [] });

export = { same, slow, handler, listener, ofFiles, differences, refusals, faults, text, own, hooks, end };
