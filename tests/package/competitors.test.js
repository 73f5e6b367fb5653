// The benchmark's competitors must price as order-cost does; otherwise the comparison means nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMPETITORS } from "../../benches/competitors/index.js";
import { isInScope, passes } from "../../benches/corpus.js";
import { readCorpus } from "../golden/corpus.mjs";

const corpus = readCorpus();

for (const competitor of COMPETITORS) {
  test(`${competitor.name} prices the golden cases that its format holds`, async () => {
    const inScope = corpus.filter(({ testCase }) => isInScope(testCase, competitor.formats));
    assert.ok(inScope.length >= 80, `only ${inScope.length} cases are in scope`);
    for (const { testCase } of inScope) await passes(competitor, testCase);
  });
}
