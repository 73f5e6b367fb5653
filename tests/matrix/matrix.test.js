// The package as npm would publish it, installed outside the repository by bundlers, frameworks, runtimes and test
// runners. Each prices one order, and the bytes must equal those of the naive model.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pack } from "../pack.js";
import { closeBrowser } from "./browser.js";
import { consumers, untested } from "./consumers.js";
import { expected } from "./order.js";
import { asFound, inMarkdown, ofReadme } from "./table.js";
import { Workspace, temporaryDirectory } from "./workspace.js";

/** More at once would be slower on two cores. */
const AT_A_TIME = 2;

const SAME_BYTES = "same bytes";
const SAYS_WHAT_TO_DO = "an error says what to do";

const all = Object.values(consumers).flat();
const rows = new Map();
const directory = temporaryDirectory();
let tarball;

before(() => ({ tarball } = pack(directory)));
after(closeBrowser);

describe("the packed package prices the same in", { concurrency: AT_A_TIME }, () => {
  for (const folder of Object.keys(consumers)) describe(folder, { concurrency: 1 }, () => testsOf(folder));
});

function testsOf(folder) {
  let made;
  const workspace = () => (made ??= Workspace.make(folder, path.join(directory, folder), tarball));
  after(async () => (await made)?.remove());

  for (const consumer of consumers[folder]) {
    test(consumer.name, async () => {
      const installed = await workspace();
      const results = {};
      for (const [entry, price] of Object.entries(consumer.entries)) {
        console.log(`${consumer.name}: ${entry}`);
        results[entry] = await result(() => price(installed), consumer.lacksAsset?.includes(entry));
      }
      const { name, browser, version = await installed.version(consumer.package) } = consumer;
      rows.set(name, { name, browser, version, results });
    });
  }
}

async function result(price, lacksAsset) {
  if (lacksAsset) {
    await assert.rejects(price, /Could not load the WebAssembly module of order-cost: .*import "order-cost"/s);
    return SAYS_WHAT_TO_DO;
  }
  assert.equal(await price(), expected);
  return SAME_BYTES;
}

test("the package's README has the row of every consumer", (context) => {
  const found = [...all.map(({ name }) => rows.get(name)).filter(Boolean), ...untested.map(untestedRow)];
  for (const line of asFound(found)) context.diagnostic(line);
  const absent = all.filter(({ name }) => !rows.has(name)).map(({ name }) => name);
  assert.deepEqual(absent, [], "consumers that did not come to a row");
  const table = inMarkdown(found);
  assert.equal(ofReadme(), table, `paste this under "Where it works" in pkg-template/README.md:\n${table}\n`);
});

function untestedRow({ name, why }) {
  return { name, results: { "order-cost": `untested: ${why}` } };
}
