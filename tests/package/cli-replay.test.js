// `order-cost replay`: captured orders, priced again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { recordingHost } from "order-cost/testing";
import { deliveredBy } from "../zones.js";
import { capture, goldenCaptures, HASH, HOST, ORDER, ZONES } from "./captured.js";
import { file, path, run } from "./command.js";

const ORDERS = [
  ["r-0", ORDER],
  ["r-1", { ...ORDER, ownerId: "malee", voucherId: ["V", "W"], couponCodeList: ["A"], shipping: deliveredBy("NATIONWIDE") }],
  ["r-2", { ...ORDER, shipping: deliveredBy("REGULAR") }, { zones: HASH }],
  ["r-3", { productList: [{ cprcode: 9, productName: "?", quantity: 1 }] }],
  [
    "r-4",
    { ...ORDER, couponCodeList: ["A"], shipping: deliveredBy("NATIONWIDE") },
    { options: { policy: { rowTotal: "list", freeShipping: "waivesDelivery" } } },
  ],
  ["r-5", { ...ORDER, voucherId: ["V", "W"] }, { options: { limits: { maxVouchers: 1 } } }],
  ["r-6", { productList: [] }],
  ["r-7", { ...ORDER, shipping: deliveredBy("REGULAR") }],
];
const captures = (change) => Promise.all(ORDERS.map(([id, order, options]) => capture(id, order, { ...options, change })));

mkdirSync(path("captures/2026-11-23/requested"), { recursive: true }); // as the decision log has them
mkdirSync(path("captures/zones"));
mkdirSync(path("zones"));
file("captures/zones/0f3a", ZONES);
file("zones/0f3a", ZONES);
const SAME = await captures();
SAME.slice(0, 4).forEach((text, index) =>
  file(`captures/2026-11-23/${index === 2 ? "requested/" : ""}slot-${index}`, index % 2 ? text : JSON.stringify(JSON.parse(text), null, 2)),
);
file("captures/rest.ndjson", SAME.slice(4).join("\n"));
const all = file("all.ndjson", `${SAME.join("\n")}\n`);

const replay = (...args) => run(["replay", ...args]);
const json = async (...args) => JSON.parse((await replay(...args, "--format", "json")).stdout);

describe("replay", () => {
  test("folders and files, one capture a file or a line: all the same, failures too", async () => {
    assert.deepEqual(await replay(all), { code: 0, stdout: "8 captures: 8 the same\n", stderr: "" });
    const folder = await replay("captures");
    assert.deepEqual(folder, { code: 0, stdout: "8 captures: 8 the same\n", stderr: "" });
    assert.equal((await replay("captures/2026-11-23", "captures/rest.ndjson")).stdout, "8 captures: 8 the same\n");
    assert.equal((await replay("captures/2026-11-23/requested/slot-2", "--against", "legacy")).stdout, "1 capture: 1 the same\n");
  });

  test("each difference names its requestId, and its decision", async () => {
    const priced = (body) => body.includes('"grandTotal"');
    const list = (body) => (priced(body) ? body.replace('"rowTotal":111.75', '"rowTotal":120') : '{"error":"something went wrong"}');
    const name = file("different.ndjson", (await captures(list)).join("\n"));
    assert.equal((await replay(name)).code, 0);
    const { code, stdout } = await replay(name, "--against", "legacy", "--ids", "ids.txt");
    assert.equal(code, 1);
    // r-4 has the policy already, so that nothing was changed there.
    assert.deepEqual(readFileSync(path("ids.txt"), "utf8").trim().split("\n"), ["r-0", "r-1", "r-2", "r-3", "r-5", "r-6", "r-7"]);
    assert.match(stdout, /^8 captures: 1 the same, 7 different\n/);
    assert.match(stdout, /\nthe worst +where +field +kind +why +old +this version\n/);
    assert.match(stdout, /\nD15 +rowTotal comes from price, or from originalPrice +rowTotal: "list" +3 +3 +0\.00 +0\.00\n/);
    assert.match(stdout, /\nD40 +the same failure in other words +2 +2 +0\.00 +0\.00\n/);
    for (const id of ["r-0", "r-1", "r-2", "r-3", "r-5", "r-6", "r-7"])
      assert.match(stdout, new RegExp(`\n${id} +1 +(error|productList\\[0\\].rowTotal) +D\\d+`));
  });

  test("under a policy of its own, the policy that removes a difference is the other one", async () => {
    const text = await capture("r", ORDER, {
      options: { policy: { rowTotal: "list" } },
      change: (body) => body.replace('"rowTotal":120', '"rowTotal":111.75'),
    });
    const { explanations } = await json(file("own-policy.json", text), "--against", "legacy");
    assert.deepEqual(
      explanations.map(({ decision, policy }) => [decision, policy]),
      [["D15", 'rowTotal: "effective"']],
    );
  });

  test("settlementPrice is checked with the price record of the facts", async () => {
    const host = recordingHost({ lookupPrices: () => ['{"price":10,"settlementPrice":8.5}'] });
    const order = { productList: [{ cprcode: 1, productName: "x", quantity: 3 }] };
    const body = `${Buffer.from(await (await createPricer(host)).calculateJson(JSON.stringify(order)))}`;
    const why = async (settlement) => {
      const legacy = body.replace('"settlementPrice":8.5', `"settlementPrice":${settlement}`);
      const text = `{"requestId":"r","request":${JSON.stringify(order)},"facts":${JSON.stringify(host.facts)},"legacy":${legacy}}`;
      return (await json(file("settlement.json", text), "--against", "legacy")).fields.map((one) => one.why);
    };
    assert.deepEqual([await why("30"), await why("30.01"), await why("20")], [["D17"], ["unexplained"], ["unexplained"]]);
  });

  test("a side may be {status, body} or the body alone; another status is a difference", async () => {
    const text = (side) => file("side.json", `{"requestId":"r","request":{"productList":[]},"facts":{},"new":${side}}`);
    const body = '{"error":"Invalid order: productList: expected at least one product"}';
    const code = async (side) => (await replay(text(side))).code;
    for (const [side, expected] of [
      [body, 0],
      [`{"status":500,"body":${body}}`, 0],
      [`{"status":400,"body":${body}}`, 1],
      ['{"status":502,"body":"bad gateway"}', 1],
    ]) {
      assert.equal(await code(side), expected, side);
    }
    assert.deepEqual(
      (await json(text(`{"status":400,"body":${body}}`))).examples.map((one) => [one.id, one.path, one.left, one.right]),
      [["r", "status", "400", "500"]],
    );
    const { left, right, fields } = await json(text(`{"status":400,"body":${body}}`));
    assert.deepEqual([left, right, fields.map(({ largest }) => largest)], ["captured", "this version", [null]]);
    const why = async (side) => (await json(text(side))).explanations.map(({ decision, orders }) => [decision, orders]);
    assert.deepEqual(await why(`{"status":400,"body":${body}}`), [["D40", 1]], "a failure");
    assert.deepEqual(await why(`{"status":200,"body":${body}}`), [[null, 1]], "no failure");
  });

  test("no answer, a page and another status are failures, which nothing ignores; the report shows them", async () => {
    const priced = JSON.parse(await capture("r", ORDER)).new;
    const side = (status, body) => file("failed-side.ndjson", `${SAME[0].slice(0, -1)},"legacy":${JSON.stringify({ status, body })}}`);
    const shown = async (...args) => {
      const { different, examples, explanations } = await json(
        side(...args),
        "--against",
        "legacy",
        "--ignore",
        "type,missing,value",
        "--ignore-path",
        "**",
      );
      assert.deepEqual([different, explanations.map(({ decision }) => decision)], [1, [null]]);
      return examples.map(({ path: at, kind, left, right }) => [at, kind, left, right]);
    };
    assert.deepEqual(await shown(null, null), [["answer", "failed", "no answer", "priced"]]);
    assert.deepEqual(await shown(502, "<html>"), [["answer", "failed", '502 "<html>"', "priced"]]);
    assert.deepEqual(await shown(200, "OK"), [["answer", "failed", '200 "OK"', "priced"]]);
    assert.deepEqual(
      (await shown(200, [priced.body])).map(([at, kind]) => [at, kind]),
      [["answer", "failed"]],
    );
    assert.deepEqual(
      (await shown(302, "")).map(([, , left]) => left),
      ['302 ""'],
    );
    assert.deepEqual(
      (await shown(206, priced.body)).map(([at, kind, left]) => [at, kind, left.slice(0, 4)]),
      [["answer", "failed", "206 "]],
    );
    assert.deepEqual(await shown(500, { error: "x" }), [["error", "failed", '500 "x"', "priced"]]);
    const hanging = file("hanging.json", `{${'"requestId":"r","request":{},"facts":{}'},"new":{"status":null,"body":null}}`);
    assert.deepEqual(
      (await json(hanging)).examples.map(({ kind, side, left, right }) => [kind, side, left, right]),
      [["failed", "both", "no answer", '500 "Invalid order: productList: expected at least one product"']],
    );
  });

  test("failures of the old service are accepted without those of this version", async () => {
    const failed = (requestId, legacy, facts) =>
      `{"requestId":"${requestId}","request":${JSON.stringify(ORDER)},"facts":${facts},"legacy":${legacy}}`;
    const priced = JSON.stringify(JSON.parse(SAME[0]).legacy);
    const old = [0, 1, 2, 3, 4].map((index) =>
      failed(`old-${index}`, '{"status":500,"body":{"error":"Internal"}}', '{"prices":{"1":{"price":37.25}}}'),
    );
    const fresh = [0, 1, 2, 3, 4, 5, 6].map((index) => failed(`new-${index}`, priced, "{}"));
    const name = file("one-side.ndjson", [...old, ...fresh].join("\n"));
    const { stdout } = await replay(name, "--against", "legacy");
    assert.match(
      stdout,
      /^12 captures: 12 different\n0\.00 THB at stake\n12 failed on one side: 5 in old, 7 in this version \(1,341\.00 THB priced by the other side\)\n/,
    );
    assert.match(stdout, /\nerror +this version failed +unexplained +7\n/);
    assert.match(stdout, /\nold-0 +[0-9a-f]{32} +error +old failed +unexplained +500 "Internal" +priced\n/);
    assert.match(stdout, /\nnew-0 +1 +this version failed +unexplained\n/);
    const known = (entry) =>
      replay(
        name,
        "--against",
        "legacy",
        "--accept",
        file("known-failures.json", [{ path: "**", reason: "known", until: "2099-12-31", ...entry }]),
      );
    assert.match((await known({})).stdout, /^12 captures: 12 different\n/);
    const { code, stdout: rest } = await known({ kind: "failed", side: "left" });
    assert.equal(code, 1);
    assert.match(
      rest,
      /^12 captures: 5 accepted \(0\.00 THB, 5 without a comparable total\), 7 different\n.*\n7 failed on one side: 0 in old, 7 in this version /,
    );
  });

  test("of many captures the list of those that differ begins with the worst, and says that it is cut", async () => {
    const { request, facts, new: answer } = JSON.parse(SAME[0]);
    const body = (index) => (index === 110 ? { grandTotal: 1 } : { ...answer.body, extra: 1 });
    const one = (index) => JSON.stringify({ requestId: `r-${index}`, request, facts, new: body(index) });
    const name = file("many.ndjson", Array.from({ length: 120 }, (_, index) => one(index)).join("\n"));
    const { stdout } = await replay(name);
    assert.match(
      stdout,
      /\ndiffers +fields +first of all +why\nr-110 +\d+ +\w+ +unexplained\nr-0 +1 +extra +D2\nr-1 +1 +extra +D2\nr-10 +1 +extra +D2\n/,
    );
    assert.match(stdout, /\nr-115 +1 +extra +D2\n20 of 120; --ids FILE has all\n$/);
    const { differing, notListed } = await json(name);
    assert.deepEqual([differing.length, notListed], [100, 20]);
  });

  test("of equals the report does not depend on where captures stand; one without an id has its hash, which explain finds", async () => {
    const different = await captures((body) => body.replace('"rowTotal":', '"sum":'));
    const texts = different.map((text, index) => (index < 1 ? text.replace(/"requestId":"r-\d",/, "") : text));
    const placed = [texts, texts.toReversed()].map((list, round) => list.map((text, index) => file(`place-${round}-${index}.json`, text)));
    const [one, other] = await Promise.all(placed.map((names) => replay(...names, "--against", "legacy", "--format", "json")));
    assert.deepEqual(one, other);
    const { examples } = JSON.parse(one.stdout);
    const nameless = examples.find(({ id, where }) => id === where);
    const named = examples.find(({ id, where }) => id !== where);
    for (const hash of [nameless.id, named.where]) {
      assert.match(hash, /^[0-9a-f]{32}$/);
      const { stdout } = await run(["explain", ...placed[0], "--request-id", hash, "--format", "json"]);
      assert.equal(stdout.trimEnd().split("\n").length, 1);
    }
  });

  test("an old service that writes an empty error into every order is compared, whatever names its products", async () => {
    const change = (error) => (body) =>
      body
        .replace('"grandTotal":111.75', '"grandTotal":999')
        .replace('"cprcode":1,', '"cprcode":{"a":1},')
        .replace(/^\{/, `{"error":${error},`);
    const report = async (error) =>
      json(file("empty-error.json", await capture("r", ORDER, { change: change(error) })), "--against", "legacy");
    const { fields, atStake } = await report("null");
    assert.equal(atStake, "887.25");
    assert.deepEqual(
      fields.filter(({ field }) => ["error", "grandTotal"].includes(field)).map(({ field, kind, why }) => [field, kind, why]),
      [
        ["grandTotal", "value", "unexplained"],
        ["error", "missing", "D2"],
      ],
    );
    assert.deepEqual(
      (await report('"x"')).fields.map(({ kind }) => kind),
      ["failed"],
    );
  });

  test("a look-up that failed has left no answer: the report says so", async () => {
    const order = { ...ORDER, shipping: deliveredBy("NATIONWIDE") };
    const failing = {
      ...HOST,
      nationwideRate: () => {
        throw new Error("the rates are down");
      },
    };
    const host = recordingHost(failing);
    await assert.rejects((await createPricer(host)).calculate(order), { message: "the rates are down" });
    const side = '{"status":500,"body":{"error":"the rates are down"}}';
    const text = `${JSON.stringify({ requestId: "r", request: order, facts: host.facts }).slice(0, -1)},"new":${side}}`;
    const { explanations } = await json(file("failed-look-up.json", text));
    assert.deepEqual(
      explanations.map((one) => [one.decision, one.what]),
      [["D41", "a look-up failed when the order was captured, so that its answer is not in the facts"]],
    );
  });

  test("an answer that came after the failure is missing in the facts, and explains nothing", async () => {
    const order = { productList: [{ cprcode: 9, productName: "x", quantity: 1 }], voucherId: ["V"] };
    const sides = '"legacy":{"error":"price missing"},"new":{"error":"No price for 9/1000"}';
    const text = `{"requestId":"r","request":${JSON.stringify(order)},"facts":{"prices":{"9/1000":null},"vouchers":{}},${sides}}`;
    const { explanations } = await json(file("late-answer.json", text), "--against", "legacy");
    assert.deepEqual(
      explanations.map(({ decision, what }) => [decision, what]),
      [["D40", "the same failure in other words"]],
    );
  });

  test("a request that is no JSON is priced as the text that it was", async () => {
    const text = `{"requestId":"r","request":"{","facts":{},"new":{"status":500,"body":{"error":"Failed to parse request body"}}}`;
    assert.equal((await replay(file("no-json.json", text))).code, 0);
  });

  test("the options of verify", async () => {
    const name = file("changed.ndjson", (await captures((body) => body.replace(/"quantity":3/, '"quantity":3.0'))).join("\n"));
    const code = async (...args) => (await replay(name, "--against", "legacy", ...args)).code;
    assert.equal(await code(), 1);
    assert.equal(await code("--ignore", "numberFormat"), 0);
    assert.equal(await code("--ignore-path", "productList[].quantity"), 0);
    assert.equal(await code("--max-different", "49.9%"), 1);
    assert.equal(await code("--max-different", "50%"), 0);
    const accepted = [{ path: "productList[].quantity", kind: "numberFormat", reason: "floats", until: "2099-12-31" }];
    assert.equal(await code("--accept", file("known.json", accepted)), 0);
  });

  test("what cannot be read is 2, and one sentence says what and where", async () => {
    mkdirSync(path("empty/zones"), { recursive: true });
    const head = '"requestId":"r","request":{},"facts":{}';
    mkdirSync(path("with-pipe"));
    execFileSync("mkfifo", [path("with-pipe/pipe")]);
    const cases = [
      [["none"], "cannot read none: no such file or directory"],
      [["captures", "--accept", ""], "cannot read : no such file or directory"],
      [["empty"], "empty: no captures in it"],
      [[file("c1", `${SAME[0]}\n{"a":}\n`)], "c1:2:6: expected a capture as JSON: a value is missing"],
      ...['{"toString":1}', "[]", "true"].map((id) => [
        [file(`c11-${id.length}`, `{${head},"new":{},"requestId":${id}}`)],
        `c11-${id.length}: requestId: expected a text`,
      ]),
      [["captures", "--ids", "captures/new"], "captures/new is in captures, which is read: name a file elsewhere"],
      [
        ["captures/rest.ndjson", "--ids", "captures/zones/0f3a"],
        "captures/zones/0f3a is in captures/zones, which is read: name a file elsewhere",
      ],
      [["with-pipe"], "with-pipe/pipe: expected a file of captures"],
      [[file("c2", "[1]")], "c2, item 1: expected a capture, an object"],
      [[file("c3", '{"requestId":"r"}')], "c3: request: missing in the capture"],
      [[file("c4", `{${head},"legacy":{}}`)], "c4: new: missing in the capture"],
      [[file("c5", `{${head},"new":{},"zones":"../x"}`)], "c5: zones: expected the name of a file in zones/"],
      [[file("c6", `{${head},"new":{},"zones":"feed"}`)], "c6: its zones are missing: zones/feed"],
      [
        [file("c7", '{"request":{},"new":{},"facts":{"price":{}}}')],
        "c7: facts: price: unknown; facts are prices, vouchers, rates, coupons, deliveryZones",
      ],
      [[file("c7b", `{${head},"new":{"status":"200","body":{}}}`)], "c7b: new.status: expected a number such as 200, or null"],
      [
        [file("c9", `{${head},"new":{},"policy":{"rowTotl":"list"}}`)],
        "c9: policy: rowTotl: unknown; it has rowTotal, freeShipping, expressSurcharge, subTotal, discountedRowTotal, settlementPrice, excludeControlled, foldedDiscounts",
      ],
      [
        [file("c10", `{${head},"new":{},"limits":{"maxVoucher":1}}`)],
        "c10: limits: maxVoucher: unknown; it has maxBodyBytes, maxProducts, maxVouchers, maxCoupons, maxSchedules",
      ],
      [[file("c8", `{${head},"new":{},"policy":{"rowTotal":"x"}}`)], /^order-cost: c8: .*rowTotal.*\n$/],
    ];
    for (const [args, sentence] of cases) {
      const { code, stdout, stderr } = await replay(...args);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" }, args.join(" "));
      if (typeof sentence === "string") assert.equal(stderr, `order-cost: ${sentence}\n`);
      else assert.match(stderr, sentence);
    }
  });

  test("a progress bar on a terminal only", async () => {
    assert.match((await run(["replay", "captures"], { tty: ["stderr"] })).stderr, /█+ 100% · 8 orders · /);
  });

  test("the golden corpus, captured with a recording host, replays to the same answers", async (context) => {
    const lines = [];
    mkdirSync(path("corpus/zones"), { recursive: true });
    for await (const { name, text, zones } of goldenCaptures()) {
      if (zones) file(`corpus/zones/${name}`, zones);
      lines.push(text);
    }
    const { code, stdout } = await replay(file("corpus/captures.ndjson", lines.join("\n")));
    context.diagnostic(`${lines.length} cases of the corpus`);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: `${lines.length} captures: ${lines.length} the same\n` });
    assert.ok(lines.length > 150);
  });
});
