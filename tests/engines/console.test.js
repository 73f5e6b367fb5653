// Each tab tells everything that goes wrong in its page: without this, "no problem" would say nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES } from "./engines.js";
import { served } from "./served.js";

const GOOD = `<!doctype html><title>Good</title><link rel="icon" href="data:,"><script>console.log("a plain message")</script>`;

/** The first script runs before any driver could add one of its own. */
const BAD = `<!doctype html><title>Bad</title><link rel="icon" href="data:,">
<script>console.error("planted on the console", "น้ำปลา"); console.warn("planted warning")</script>
<script>throw new Error("planted and not caught")</script>
<script>Promise.reject(new Error("planted and rejected"))</script>
<script src="/planted-missing.js"></script>
<script type="module">
  setTimeout(() => { throw new TypeError("planted for later"); });
  const { status } = await fetch("/planted-missing.json");
  document.title = status;
</script>`;

const PLANTED = [
  "planted on the console น้ำปลา",
  "planted warning",
  "planted and not caught",
  "planted and rejected",
  "planted-missing.js",
  "planted-missing.json",
  "planted for later",
];

for (const [name, open] of Object.entries(ENGINES)) {
  test(`${name}: a good page has no problem, a bad page has every one that was planted`, async (t) => {
    const tab = await open();
    t.after(() => tab.close());
    const use = async (address) => {
      await tab.goto(`${address}/good`);
      assert.deepEqual(await tab.problems(), []);
      await tab.goto(`${address}/bad`);
      await tab.until(() => document.title === "404");
      return tab.problems();
    };
    const problems = await served("www", use, { pages: { "/good": GOOD, "/bad": BAD } });
    const unheard = PLANTED.filter((planted) => !problems.some((problem) => problem.includes(planted)));
    assert.deepEqual(unheard, [], problems.join("\n"));
  });
}
