// The package on a plain page: every case of the golden corpus gives the naive model's bytes, in each engine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { expectation, readCorpus } from "../golden/corpus.mjs";
import { asCells, stated } from "../matrix/table.js";
import { ENGINES } from "./engines.js";
import { ENTRIES, plainPage, served } from "./served.js";

const corpus = readCorpus();
const cases = JSON.stringify(corpus.map(({ testCase }) => testCase));

/** The part of a version that changes with a release. */
const RELEASE = { Chromium: /^\d+/, Firefox: /^\d+/, WebKitGTK: /^\d+\.\d+/ };

/** What works.json says of each engine, as found. The matrix has Chromium's row. */
const rows = [];

for (const [name, open] of Object.entries(ENGINES)) {
  const row = { name: '`<script type="module">`', results: {} };
  if (name !== "Chromium") rows.push(row);

  for (const entry of ENTRIES) {
    test(`${name}: ${entry} gives the model's bytes for ${corpus.length} cases`, async (t) => {
      const tab = await open();
      t.after(() => tab.close());
      t.diagnostic(`${tab.name} ${tab.version}`);
      const use = async (address) => {
        await tab.goto(`${address}/page`);
        return tab.evaluate(bodiesInPage, cases);
      };
      const bodies = await served("", use, { pages: { "/page": plainPage(entry) } });
      assert.equal(bodies.length, corpus.length);
      corpus.forEach(({ file, testCase }, index) => assert.equal(bodies[index], bodyOf(testCase), file));
      assert.deepEqual(await tab.problems(), []);
      row.browser = `${name} ${tab.version.match(RELEASE[name])}`;
      row.results[entry] = "same bytes";
    });
  }
}

test("works.json has the row of every engine", () => {
  const lines = stated().map((row) => row.join());
  assert.deepEqual(
    asCells(rows).filter((row) => !lines.includes(row.join())),
    [],
    "put these into tests/matrix/works.json",
  );
});

/** Runs in the page. */
async function bodiesInPage(cases) {
  const { bodiesOf } = await import("/tests/everywhere/bodies.js");
  return bodiesOf(JSON.parse(cases));
}

/** The HTTP body that the model expects. */
function bodyOf(testCase) {
  const { response, responseText, error, zonesError } = expectation(testCase);
  if (error ?? zonesError) return JSON.stringify({ error: error ?? zonesError });
  return responseText ?? JSON.stringify(response);
}
