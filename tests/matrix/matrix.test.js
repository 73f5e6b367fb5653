// The package as npm would publish it, installed outside the repository by bundlers, frameworks, runtimes and test
// runners. Each prices one order, and the bytes must equal those of the naive model.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pack } from "../pack.js";
import { closeBrowser } from "./browser.js";
import { consumers as everyConsumer } from "./consumers.js";
import { expected } from "./order.js";
import { isWhole } from "./rows.js";
import { asCells, asFound, asJson, isOfEngines, stated } from "./table.js";
import { temporaryDirectory, Workspace } from "./workspace.js";

/** More at once would be slower on two cores. */
const AT_A_TIME = 2;

const SAME_BYTES = "same bytes";
const SAYS_WHAT_TO_DO = "an error says what to do";

const consumers = chosen();
const rows = new Map();
const directory = temporaryDirectory();
let tarball;

before(() => ({ tarball } = pack(directory)));
after(closeBrowser);

describe("the packed package prices the same in", { concurrency: AT_A_TIME }, () => {
  for (const folder of Object.keys(consumers)) describe(folder, { concurrency: 1 }, () => testsOf(folder));
});

/** The consumers to try, by folder. A folder without any is not installed. */
function chosen() {
  const isChosen = ({ nightly }) => isWhole || !nightly;
  const folders = Object.entries(everyConsumer).map(([folder, rows]) => [folder, rows.filter(isChosen)]);
  return Object.fromEntries(folders.filter(([, rows]) => rows.length > 0));
}

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
        results[entry] = await result(() => price(installed), consumer.fails?.[entry]);
      }
      const { name, browser, version = await installed.version(consumer.package) } = consumer;
      rows.set(name, { name, browser, version, results });
    });
  }
}

async function result(price, failure) {
  if (failure) {
    await assert.rejects(price, failure);
    return SAYS_WHAT_TO_DO;
  }
  assert.equal(await price(), expected);
  return SAME_BYTES;
}

test("works.json has the row of every consumer", (context) => {
  const tried = Object.values(consumers).flat();
  const found = tried.map(({ name }) => rows.get(name)).filter(Boolean);
  for (const line of asFound(found)) context.diagnostic(line);
  const absent = tried.filter(({ name }) => !rows.has(name)).map(({ name }) => name);
  assert.deepEqual(absent, [], "consumers that did not come to a row");

  const known = stated();
  const cells = asCells(found);
  if (isWhole) {
    const table = [...cells, ...known.filter(isOfEngines)];
    assert.deepEqual(known, table, `put this into tests/matrix/works.json:\n${asJson(table)}`);
  } else {
    const lines = known.map((row) => row.join());
    assert.deepEqual(
      cells.filter((row) => !lines.includes(row.join())),
      [],
      "rows that tests/matrix/works.json lacks",
    );
  }
});
