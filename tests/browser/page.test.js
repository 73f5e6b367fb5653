// The page in real Chromium, with the real Worker. One file, so that all suites share one browser and one workerd.
import { after, before, describe } from "node:test";
import { arrival } from "./arrival.js";
import { basket } from "./basket.js";
import { bill } from "./bill.js";
import { captured } from "./captured.js";
import { catalogue } from "./catalogue.js";
import { checkout } from "./checkout.js";
import { delivery } from "./delivery.js";
import { discounts } from "./discounts.js";
import { edge } from "./edge.js";
import { looks } from "./looks.js";
import { offline } from "./offline.js";
import { startSite, stopSite } from "./site.js";
import { states } from "./states.js";
import { undo } from "./undo.js";
import { visits } from "./visits.js";

before(startSite);
after(stopSite);

/** Most tests wait: for answers that come late, or not at all. */
const BESIDE = { concurrency: 3 };

describe("the first visit", BESIDE, arrival);
describe("the catalogue", BESIDE, catalogue);
describe("the basket", BESIDE, basket);
describe("undo", BESIDE, undo);
describe("the delivery", BESIDE, delivery);
describe("coupons and vouchers", BESIDE, discounts);
describe("waiting and failing", BESIDE, states);
describe("the bill", BESIDE, bill);
describe("the order", BESIDE, checkout);
describe("the edge", BESIDE, edge);
describe("a captured order", BESIDE, captured);
describe("coming back", BESIDE, visits);
describe("looks", BESIDE, looks);
describe("without a network", offline);
