// The first visit is fast: Lighthouse's score, in a file of its own so that no other test runs beside it.
import { after, before, test } from "node:test";
import { CONFIGS, isFast } from "../../lighthouse.js";
import { address, startSite, stopSite } from "../site.js";

const LEAST_SCORE = 90;

before(startSite);
after(stopSite);

for (const [width, config] of CONFIGS) {
  test(`${width} px: Lighthouse gives at least ${LEAST_SCORE} for performance, with its own throttling`, (t) =>
    isFast(t, `${address}/`, config, LEAST_SCORE));
}
