// The first visit of the documents is fast: Lighthouse's score, with its own throttling.
import { after, before, test } from "node:test";
import { CONFIGS, isFast } from "../../lighthouse.js";
import { address, startServer, stopServer } from "../served.js";

const LEAST_SCORE = 95;
const [[, phone]] = CONFIGS;

before(startServer);
after(stopServer);

for (const place of ["", "play", "tutorials/basket", "guides/basket", "reference/package/"]) {
  test(`/docs/${place}: on a phone, Lighthouse gives at least ${LEAST_SCORE} for performance`, (t) =>
    isFast(t, `${address}/docs/${place}`, phone, LEAST_SCORE));
}
