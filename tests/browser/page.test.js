// The page in real Chromium, with the real Worker. One file, so that all suites share one browser and one workerd.
import { after, before, describe } from "node:test";
import { basket } from "./basket.js";
import { bill } from "./bill.js";
import { captured } from "./captured.js";
import { catalogue } from "./catalogue.js";
import { checkout } from "./checkout.js";
import { delivery } from "./delivery.js";
import { discounts } from "./discounts.js";
import { edge } from "./edge.js";
import { looks } from "./looks.js";
import { startSite, stopSite } from "./site.js";
import { states } from "./states.js";
import { undo } from "./undo.js";
import { visits } from "./visits.js";

before(startSite);
after(stopSite);

describe("the catalogue", catalogue);
describe("the basket", basket);
describe("undo", undo);
describe("the delivery", delivery);
describe("coupons and vouchers", discounts);
describe("waiting and failing", states);
describe("the bill", bill);
describe("the order", checkout);
describe("the edge", edge);
describe("a captured order", captured);
describe("coming back", visits);
describe("looks", looks);
