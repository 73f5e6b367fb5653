// `order-cost serve`: the routes on facts from files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { allAtNight, someOf, cases as times } from "../effort.js";
import { readCorpus } from "../golden/corpus.mjs";
import { bodyBytes } from "../model/body.js";
import { price } from "../model/price.js";
import { freePorts } from "../ports.js";
import { until } from "../until.js";
import { deliveredBy, squareZones } from "../zones.js";
import { file, path, run } from "./command.js";
import { ask, beginOrder, post, served, servedApart } from "./served.js";

const ORDER = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }] };
const UNKNOWN = { productList: [{ cprcode: 404, productName: "", quantity: 1 }] };
const DELIVERY = { ...ORDER, shipping: deliveredBy("REGULAR") };

const factsOf = (amount) => ({ prices: { 1001: { price: amount } } });
const expected = (order, host, zones) => price({ order, host, zones }).text;

const isOver = (url) => () =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe("the address", () => {
  test("is the first line, on a free port, and two commands serve beside each other", async () => {
    file("one.json", factsOf(1));
    file("two.json", factsOf(2));
    const [one, two] = await Promise.all([servedApart("--facts", "one.json"), servedApart("--facts", "two.json")]);
    assert.match(one.line, /^Listening on http:\/\/127\.0\.0\.1:\d+$/);
    assert.notEqual(one.line, two.line);
    assert.equal((await post(one.url, ORDER)).text, expected(ORDER, factsOf(1)));
    assert.equal((await post(two.url, ORDER)).text, expected(ORDER, factsOf(2)));
    assert.deepEqual([await one.end(), await two.end("SIGINT")], [0, 0]);
    assert.deepEqual([one.stderr(), two.stderr()], ["", ""]);
  });

  test("has another host and the port that is asked for; a port in use is a sentence", async () => {
    const port = await freePorts();
    const taken = createServer().listen(port, "127.0.0.1");
    await once(taken, "listening");
    const { code, stdout, stderr } = await run(["serve", "--port", `${port}`]);
    assert.deepEqual([code, stdout, stderr], [2, "", `order-cost: cannot listen on 127.0.0.1:${port}: address already in use\n`]);
    taken.close();
    await once(taken, "close");
    const { line, end } = await served("--host", "localhost", "--port", `${port}`);
    assert.match(line, new RegExp(`^Listening on http://(127\\.0\\.0\\.1|\\[::1\\]):${port}$`));
    assert.equal(await end(), 0);
  });
});

describe("an answer", () => {
  let command;
  before(async () => {
    file("facts.json", factsOf(37.25));
    command = await served("--facts", "facts.json", "--max-body-bytes", "1000", "--max-products", "2");
  });
  after(() => command.end());

  test("has the headers of the edge", async () => {
    for (const route of ["calculatecost2", "calculatecost3", "calculatecost4", "calculatecost4/"]) {
      const { status, text, code, requestId, headers } = await post(command.url, ORDER, { route, headers: { "x-request-id": "t-1" } });
      assert.deepEqual([status, text, code, requestId], [200, expected(ORDER, factsOf(37.25)), null, "t-1"]);
      assert.equal(headers.get("content-type"), "application/json");
    }
    assert.match((await post(command.url, ORDER)).requestId, /^[0-9a-f-]{36}$/);
  });

  test("of a request that fails is the edge's, and a line on stderr", async () => {
    const asked = command.stderr().length;
    const notFound = await post(command.url, UNKNOWN);
    assert.deepEqual(
      [notFound.status, notFound.code, notFound.text],
      [500, "PRODUCT_PRICE_NOT_FOUND", '{"error":"No price for 404/1000"}'],
    );
    const unknownPath = await post(command.url, ORDER, { route: "calculateCost4" });
    assert.deepEqual([unknownPath.status, JSON.parse(unknownPath.text).error.slice(0, 12)], [404, "Unknown path"]);
    const get = await ask(command.url, undefined, { method: "GET" });
    assert.deepEqual([get.status, get.headers.get("allow"), get.text], [405, "POST", '{"error":"Method not allowed: expected POST"}']);
    await until("the lines have come", () => command.stderr().endsWith("expected POST\n"));
    assert.deepEqual(command.stderr().slice(asked).split("\n"), [
      "POST /calculatecost4 500 PRODUCT_PRICE_NOT_FOUND No price for 404/1000",
      "POST /calculateCost4 404 Unknown path: expected /calculatecost2, /calculatecost3, /calculatecost4",
      "GET /calculatecost4 405 Method not allowed: expected POST",
      "",
    ]);
  });

  test("keeps the limits that the command names", async () => {
    const large = await ask(command.url, " ".repeat(1001));
    assert.deepEqual([large.status, large.code, large.text], [500, "LIMIT_EXCEEDED", '{"error":"Request body is larger than 1000 bytes"}']);
    const many = { productList: Array(3).fill(ORDER.productList[0]) };
    assert.equal((await post(command.url, many)).text, '{"error":"Invalid order: productList: expected at most 2 products"}');
    const unlimited = await served("--facts", "facts.json");
    assert.equal((await ask(unlimited.url, " ".repeat(2 ** 20 + 1))).text, '{"error":"Request body is larger than 1048576 bytes"}');
    assert.equal(await unlimited.end(), 0);
  });

  test("goes to each of a hundred orders that come at once", async () => {
    const orders = Array.from({ length: 100 }, (_, index) => ({ productList: [{ ...ORDER.productList[0], quantity: index + 1 }] }));
    const answers = await Promise.all(orders.map((order) => post(command.url, order)));
    assert.deepEqual(
      answers.map(({ text }) => text),
      orders.map((order) => expected(order, factsOf(37.25))),
    );
  });

  test("without facts says which price is missing", async () => {
    const { url, end } = await served();
    assert.equal((await post(url, ORDER)).text, '{"error":"No price for 1001/1000"}');
    assert.equal(await end(), 0);
  });
});

test("the golden corpus has the same bytes and codes, each case from facts written just before it", async (context) => {
  const all = readCorpus().filter(
    ({ testCase: { host = {}, expect } }) => !host.fails && !host.missing && !expect.zonesError && !Array.isArray(host.coupons),
  );
  const cases = someOf(all);
  const optionsOf = ({ testCase: { options = {} } }) =>
    JSON.stringify(Object.entries({ ...options.policy, ...options.limits, ...(options.input && { input: options.input }) }));
  const dashed = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  for (const options of new Set(cases.map(optionsOf))) {
    const flags = JSON.parse(options).flatMap(([name, value]) => [dashed(name), `${value}`]);
    file("golden.json", {});
    const { url, end } = await served("--facts", "golden.json", ...flags);
    for (const { file: name, testCase } of cases.filter((one) => optionsOf(one) === options)) {
      const { deliveryZones = testCase.zones, ...facts } = { prices: {}, ...testCase.host };
      file("golden.json", { ...facts, ...(deliveryZones && { deliveryZones }) });
      const { expect } = testCase;
      const text = expect.responseText ?? JSON.stringify(expect.response ?? { error: expect.error });
      const answer = await ask(url, bodyBytes(testCase));
      assert.deepEqual([answer.status, answer.text, answer.code], [expect.error ? 500 : 200, text, expect.code ?? null], name);
    }
    assert.equal(await end(), 0);
  }
  context.diagnostic(`${cases.length} cases of the corpus`);
  assert.ok(all.length > 200);
});

describe("an edit of the files", () => {
  test("counts for the next order, again and again", async () => {
    file("edited.json", factsOf(100));
    const { url, end } = await served("--facts", "edited.json");
    for (let edit = 0; edit < allAtNight(20, times(50)); edit += 1) {
      const facts = factsOf(100 + (edit % 7)); // Mostly of the same size, within one tick of the clock.
      file("edited.json", facts);
      assert.equal((await post(url, ORDER)).text, expected(ORDER, facts), `edit ${edit}`);
    }
    assert.equal(await end(), 0);
  });

  test("counts for zones, of a file of their own or of the facts", async () => {
    const facts = factsOf(10);
    file("zoned.json", { ...facts, deliveryZones: squareZones(20) });
    file("zones.geojson", squareZones(30));
    const [own, withFile] = await Promise.all([
      served("--facts", "zoned.json"),
      served("--facts", "zoned.json", "--zones", "zones.geojson"),
    ]);
    const fees = async () => {
      const answers = await Promise.all([own, withFile].map(({ url }) => post(url, DELIVERY)));
      return answers.map(({ text }) => JSON.parse(text).deliveryFee);
    };
    assert.deepEqual(await fees(), [20, 30]);
    file("zones.geojson", squareZones(35));
    file("zoned.json", { ...facts, deliveryZones: squareZones(25) });
    assert.deepEqual(await fees(), [25, 35]);
    file("zones.geojson", '{"type":"FeatureCollection"}');
    const broken = await post(withFile.url, DELIVERY);
    assert.equal(broken.code, "FACTS_FAILED");
    assert.match(broken.text, /^\{"error":"zones\.geojson: .*features/);
    assert.deepEqual([await own.end(), await withFile.end()], [0, 0]);
  });

  test("that breaks them fails each order with what is wrong, until they are whole again", async () => {
    file("broken.json", factsOf(5));
    const { url, stderr, end } = await served("--facts", "broken.json");
    const faults = [
      ['{"prices":{"1001":{"pr', /^broken\.json:1:\d+: expected JSON: /],
      ["", /^broken\.json:1:1: expected JSON: /],
      ['{"price":{}}', /^broken\.json: price: unknown; facts are prices, /],
      [undefined, /^cannot read broken\.json: no such file or directory$/],
    ];
    for (const [text, message] of faults) {
      if (text === undefined) rmSync(path("broken.json"));
      else file("broken.json", text);
      for (let times = 0; times < 2; times += 1) {
        const answer = await post(url, ORDER);
        assert.deepEqual([answer.status, answer.code], [500, "FACTS_FAILED"]);
        assert.match(JSON.parse(answer.text).error, message);
      }
    }
    file("broken.json", factsOf(6));
    assert.equal((await post(url, ORDER)).text, expected(ORDER, factsOf(6)));
    assert.equal(await end(), 0);
    assert.match(stderr(), /^(POST \/calculatecost4 500 FACTS_FAILED .*broken\.json.*\n){8}$/);
  });

  test("harms no order under way, though the files are rewritten all the time", async () => {
    file("busy.json", factsOf(1));
    const { url, end } = await served("--facts", "busy.json");
    const amounts = [1, 2, 3, 4, 5];
    const allowed = new Set(amounts.map((amount) => expected(ORDER, factsOf(amount))));
    const often = allAtNight(25, 100);
    const rewrite = async () => {
      for (let edit = 0; edit < often; edit += 1) {
        file("busy.new", factsOf(amounts[edit % amounts.length]));
        renameSync(path("busy.new"), path("busy.json"));
        await wait(1);
      }
    };
    const order = async () => {
      for (let count = 0; count < often; count += 1) assert.ok(allowed.has((await post(url, ORDER)).text));
    };
    await Promise.all([rewrite(), ...Array.from({ length: 4 }, order)]);
    assert.equal(await end(), 0);
  });
});

describe("a signal", () => {
  test("lets the order under way end, and takes no other", async () => {
    file("ending.json", factsOf(7));
    const { url, end } = await served("--facts", "ending.json");
    const complete = await beginOrder(url, ORDER);
    const ended = end();
    await until("it takes no more orders", isOver(url));
    const { text, headers } = await complete();
    assert.equal(text, expected(ORDER, factsOf(7)));
    assert.equal(headers.connection, "close");
    assert.equal(await ended, 0);
  });
});

test("wrong usage and unreadable files are 2 and a sentence, before anything is served", async () => {
  file("bad.json", "{");
  file("no-zones.json", "{}");
  execFileSync("mkfifo", [path("pipe")]);
  const cases = [
    [["--facts", "nowhere.json"], /^order-cost: cannot read nowhere\.json: no such file or directory\n$/],
    // As from a variable of the shell that is not set.
    [["--facts", ""], /^order-cost: cannot read : no such file or directory\n$/],
    [["--zones", ""], /^order-cost: cannot read : no such file or directory\n$/],
    [["--facts", "bad.json"], /^order-cost: bad\.json:1:2: expected JSON: /],
    [["--facts", "pipe"], /^order-cost: pipe: expected a file, which is read for each order\n$/],
    [["--zones", "no-zones.json"], /^order-cost: no-zones\.json: /],
    [["--host", "999.1.1.1"], /^order-cost: cannot listen on 999\.1\.1\.1:8787: /],
    [["--port", "99999"], /'99999' is invalid\. Expected a port from 0 to 65535\.\n\(--help says more\)\n$/],
    [["--port", "x"], /'x' is invalid\. Expected a whole number\./],
    [["--prot", "1"], /^order-cost: unknown option --prot, did you mean --port\?\n/],
    [["--max-products", "99999999999"], /^order-cost: Invalid options: limits\.maxProducts: expected /],
    [["order.json"], /too many arguments for 'serve'/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await run(["serve", ...args]);
    assert.deepEqual([code, stdout], [2, ""], `${args}: ${stderr}`);
    assert.match(stderr, message);
  }
});
