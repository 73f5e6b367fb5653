// `order-cost verify`: what it reads, pairs, counts and shows. What explains a difference stands in cli-explain.test.js.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { allAtNight } from "../effort.js";
import { file, measured, path, run, start } from "./command.js";

const left = (text) => file("left.ndjson", text);
const right = (text) => file("right.ndjson", text);
const verify = (a, b, ...args) => run(["verify", left(a), right(b), ...args]);
const json = async (...args) => JSON.parse((await verify(...args, "--format", "json")).stdout);
const text = (records) => records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join("");

/** Real responses: orders `A-0`, `A-1`… of three products. */
async function responses(count) {
  const prices = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, { price: 10 + index / 4, settlementPrice: 8.5 }]));
  const pricer = await createPricer(hostFromFacts({ prices }));
  const row = (order, index) => ({ cprcode: (order + index) % 10, productName: `p${index}`, quantity: 1 + ((order + index) % 3) });
  const priceOne = async (order) =>
    `${Buffer.from(await pricer.calculateJson(JSON.stringify({ orderId: `A-${order}`, productList: [0, 1, 2].map((index) => row(order, index)) })))}`;
  return Promise.all(Array.from({ length: count }, (_, order) => priceOne(order)));
}

const LINES = await responses(200);

describe("verify: two files of 200 with a lost line, a moved line, a satang and a number format", () => {
  const changed = [...LINES];
  changed[70] = changed[70].replace(/"grandTotal":([\d.]+)/, (_, total) => `"grandTotal":${(Number(total) + 0.01).toFixed(2)}`);
  changed[90] = changed[90].replace(/"totalWeight":([\d.]+)/, '"totalWeight":$10');
  changed.splice(10, 0, ...changed.splice(150, 1));
  changed.splice(57, 1);

  test("with --key: 1 unmatched, and exactly what was planted", async (context) => {
    const { code, stdout, stderr } = await verify(text(LINES), text(changed), "--key", "orderId");
    context.diagnostic(stdout);
    assert.deepEqual({ code, stderr }, { code: 1, stderr: "" });
    assert.equal(
      stdout,
      `\
200 orders: 197 the same, 2 different, 1 unmatched (only in left.ndjson)
0.01 THB at stake, net +0.01 (right − left): 1 order has another grand total

decision   why they differ                       policy that removes it   orders   fields   THB moved   net THB
           unexplained                                                         1        1        0.01     +0.01
D5         the same number in another notation                                 1        1        0.00      0.00

field         kind           why           count   largest difference
grandTotal    value          unexplained       1                 0.01
totalWeight   numberFormat   D5                1                 0.00

the worst   where            field         kind           why           left    right
A-56        left.ndjson:57                 unmatched
A-70        left.ndjson:71   grandTotal    value          unexplained   61.25   61.26
A-90        left.ndjson:91   totalWeight   numberFormat   D5            1.5     1.50
`,
    );
  });

  test("without --key it says that the lines do not line up", async () => {
    const { stdout } = await verify(text(LINES), text(changed));
    assert.match(stdout, /^200 orders: /);
    assert.match(
      stdout,
      /\nThe lines do not line up: left\.ndjson:11 is order A-10, right\.ndjson:11 is order A-150\. .*--key orderId pairs them/,
    );
    assert.match(
      (await verify(text(LINES.slice(0, 3)), text(LINES.slice(0, 2)))).stdout,
      /\nThe lines do not line up: left\.ndjson goes on after the end of right\.ndjson\./,
    );
    assert.doesNotMatch((await verify(text(LINES), text(LINES))).stdout, /line up/);
  });

  test("--ids writes the key of each order that differs or has no partner", async () => {
    await verify(text(LINES), text(changed), "--key", "orderId", "--ids", "ids.txt");
    assert.equal(readFileSync(path("ids.txt"), "utf8"), "A-56\nA-70\nA-90\n");
    await verify(text(LINES), text(LINES), "--key", "orderId", "--ids", "ids.txt");
    assert.equal(readFileSync(path("ids.txt"), "utf8"), "");
    await verify(text(LINES.slice(0, 2)), text([LINES[0], LINES[1].replace('"totalWeight":', '"totalWeight":1')]), "--ids", "ids.txt");
    assert.equal(readFileSync(path("ids.txt"), "utf8"), "A-1\n");
    const refused = await run(["verify", "left.ndjson", "right.ndjson", "--ids", "left.ndjson"]);
    assert.deepEqual(refused, { code: 2, stdout: "", stderr: "order-cost: left.ndjson is read and cannot be written\n" });
  });

  test("--max-different is a share of all orders; one without a partner differs", async () => {
    for (const [share, expected] of Object.entries({ "0%": 1, "1.49%": 1, "1.5%": 0, "2%": 0, "100%": 0 })) {
      const { code, stdout } = await verify(text(LINES), text(changed), "--key", "orderId", "--max-different", share);
      assert.equal(code, expected, share);
      assert.equal(stdout.split("\n")[2], `3 of 200 (1.5%) differ, ${share} may (--max-different): ${code === 0 ? "passed" : "failed"}`);
    }
    assert.match(
      (await verify("{}", "{}", "--max-different", "100.1%")).stderr,
      /'100\.1%' is invalid\. Expected a percentage from 0% to 100%/,
    );
  });
});

describe("verify --key", () => {
  const order = (orderId, grandTotal) => ({ orderId, grandTotal });

  test("any order of lines, on both sides; numbers are keys, too", async () => {
    const orders = Array.from({ length: 500 }, (_, index) => ({ id: index, grandTotal: index }));
    const shuffled = orders.toSorted((a, b) => ((a.id * 7919) % 500) - ((b.id * 7919) % 500));
    assert.deepEqual(await verify(text(orders), text(shuffled), "--key", "id"), {
      code: 0,
      stdout: "500 orders: 500 the same\n",
      stderr: "",
    });
    const nested = (list) => text(list.map((one) => ({ summary: { id: `${one.id}` }, t: one.grandTotal })));
    assert.equal((await verify(nested(orders), nested(shuffled), "-k", "summary.id")).code, 0);
  });

  test("of equal keys identical ones pair first, the rest in order", async () => {
    const a = [order("X", 1), order("X", 2), order("X", 3), order("X", 4)];
    const b = [order("X", 9), order("X", 3), '{"grandTotal": 1, "orderId": "X"}', order("X", 8), order("X", 7)];
    const { same, different, unmatched, onlyRight, examples, atStake } = await json(text(a), text(b), "--key", "orderId");
    assert.deepEqual({ same, different, unmatched, onlyRight }, { same: 2, different: 2, unmatched: 1, onlyRight: 1 });
    // 2 and 9, 4 and 8; 7 is left.
    assert.equal(atStake, "11");
    assert.deepEqual(
      examples.filter(({ kind }) => kind === "value").map((one) => [one.left, one.right]),
      [
        ["2", "9"],
        ["4", "8"],
      ],
    );
    assert.equal(examples[0].where, "right.ndjson:5");
  });

  test("an order that failed has no key: it pairs with the one in its place", async () => {
    const failed = { error: "No price for 9/1000" };
    const a = [order("A", 1), failed, order("C", 3), failed, failed, order("F", 6)];
    const b = [order("A", 1), order("B", 2), order("C", 3), failed, { error: "Voucher V not found" }, order("F", 6)];
    const { same, different, unmatched, fields } = await json(text(a), text(b), "--key", "orderId");
    assert.deepEqual({ same, different, unmatched }, { same: 4, different: 2, unmatched: 0 });
    assert.deepEqual(
      fields.map(({ field, kind }) => `${field} ${kind}`),
      ["error failed", "error value"],
    );
    // Elsewhere, two failures with one text are the same.
    assert.equal((await json(text([failed, order("A", 1)]), text([order("A", 1), failed]), "--key", "orderId")).same, 2);
  });

  test("keys that repeat a lot are doubted", async () => {
    const orders = (keys) => text(Array.from({ length: 200 }, (_, index) => order(`${index % keys}`, index)));
    const doubt = async (a, b) => (await verify(orders(a), orders(b), "--key", "orderId")).stderr;
    assert.equal(await doubt(3, 3), "order-cost: 3 keys for 200 orders: is orderId the key?\n");
    assert.equal(await doubt(200, 1), "order-cost: 1 key for 200 orders: is orderId the key?\n");
    assert.equal(await doubt(99, 99), "order-cost: 99 keys for 200 orders: is orderId the key?\n");
    assert.equal(await doubt(100, 200), "");
  });

  test("a file whose orders do not have the key is refused; one of failures only is not", async () => {
    const [a, b] = [text([order("A", 1)]), text([{ id: "A" }])];
    assert.equal((await verify(a, b, "--key", "orderId")).stderr, "order-cost: right.ndjson: no response has orderId, the key\n");
    assert.equal((await verify(a, b, "--key", "orderId")).code, 2);
    assert.equal((await verify(text([{ error: "x" }]), text([{ error: "x" }]), "--key", "orderId")).code, 0);
  });

  test("pipes, arrays and single documents", async () => {
    const orders = [order("A", 1), order("B", 2), order("C", 3)];
    const other = [orders[2], orders[0], order("D", 4)];
    const expected = "4 orders: 2 the same, 2 unmatched (1 only in left.ndjson, 1 only in -)\n";
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("order-cost-verify-"));
    const piped = await run(["verify", left(text(orders)), "-", "--key", "orderId"], { input: text(other) });
    assert.ok(piped.stdout.startsWith(expected), piped.stdout);
    assert.match(piped.stdout, /\nB +left\.ndjson:2 +unmatched\nD +stdin:3 +unmatched\n/);
    const array = await run(["verify", left(JSON.stringify(orders, null, 1)), "-", "--key", "orderId"], { input: JSON.stringify(other) });
    assert.ok(array.stdout.startsWith(expected));
    assert.match(array.stdout, /\nB +left\.ndjson, item 2 +unmatched\nD +stdin, item 3 +unmatched\n/);
    assert.equal((await verify(JSON.stringify(orders[0], null, 2), text([orders[0]]), "--key", "orderId")).code, 0);
    assert.equal((await verify(`\ufeff${text(orders)}`, text(orders), "--key", "orderId")).code, 0);
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith("order-cost-verify-")),
      before,
      "no temporary file is left",
    );
  });

  test("what is no JSON is named", async () => {
    const { code, stderr } = await verify(text([order("A", 1)]), '{"orderId":"A"}\n{"orderId":\n', "--key", "orderId");
    assert.deepEqual(
      { code, stderr },
      { code: 2, stderr: "order-cost: right.ndjson:2:12: expected a response as JSON: a value is missing\n" },
    );
  });

  test("keys with odd characters; --ids keeps one line each", async () => {
    const ids = ["__proto__", "a\nb", "ก", "", "constructor"];
    const a = text(ids.map((id) => order(id, 1)));
    assert.equal((await verify(a, text(ids.toReversed().map((id) => order(id, 1))), "--key", "orderId")).code, 0);
    await verify(a, text(ids.map((id) => order(id, 2))), "--key", "orderId", "--ids", "odd-ids.txt");
    assert.equal(readFileSync(path("odd-ids.txt"), "utf8"), '__proto__\n"a\\nb"\nก\n\nconstructor\n');
  });
});

describe("verify --match-rows", () => {
  const row = (cprcode, quantity, rowTotal = quantity * 10) => ({ cprcode, price: 10, quantity, rowTotal });
  const order = (...productList) => text([{ orderId: "A", productList }]);

  test("rows in another order are one difference; with --match-rows none", async () => {
    const [a, b] = [order(row(1, 1), row(2, 2), row(3, 3)), order(row(3, 3), row(1, 1), row(2, 2))];
    assert.deepEqual(
      (await json(a, b)).fields.map(({ field, kind, count }) => [field, kind, count]),
      [["productList", "order", 1]],
    );
    assert.equal((await verify(a, b, "--ignore", "order")).code, 0);
    assert.deepEqual(await verify(a, b, "--match-rows", "cprcode"), { code: 0, stdout: "1 order: 1 the same\n", stderr: "" });
  });

  test("rows of one product in another order are one difference, too", async () => {
    const [a, b] = [order(row(1, 1), row(1, 2)), order(row(1, 2), row(1, 1))];
    assert.deepEqual(
      (await json(a, b)).fields.map(({ field, kind, count }) => [field, kind, count]),
      [["productList", "order", 1]],
    );
  });

  test("a row of one side only, by its product; without it the report names the option", async () => {
    const [a, b] = [order(row(1, 1), row(2, 2), row(3, 3)), order(row(1, 1), row(3, 3))];
    assert.deepEqual(
      (await json(a, b, "--match-rows", "cprcode")).examples.map(({ path: at, kind }) => `${at} ${kind}`),
      ["productList[1] missing"],
    );
    assert.ok((await json(a, b)).fields.length > 1);
    assert.match((await verify(a, b)).stdout, /\n1 order has more rows on one side: --match-rows cprcode pairs rows by product\.\n/);
  });

  test("a field that no row has is named", async () => {
    const [a, b] = [order(row(1, 1)), order(row(1, 2))];
    assert.match(
      (await verify(a, b, "--match-rows", "cprcod")).stdout,
      /\n1 order has no cprcod in any row: --match-rows could not pair their rows by it\.\n/,
    );
    assert.doesNotMatch((await verify(a, b, "--match-rows", "cprcode")).stdout, /in any row/);
  });

  test("of rows with equal keys the nearest pair before the rest: the same quantity and schedule, by value", async () => {
    const inSchedule = (scheduleId, quantity, more) => ({ ...row(1, quantity), scheduleId, ...more });
    const rows = [row(1, 2), row(2, 1), row(1, 1)];
    const noted = rows.map((one) => ({ ...one, remark: "x" })).toReversed();
    const found = async (a, b, ...args) => (await json(a, b, ...args)).fields.map(({ field, kind, count }) => [field, kind, count]);
    const turned = order(...noted).replace('"quantity":2', '"quantity":2.0');
    const notes = [
      ["productList[].remark", "missing", 3],
      ["productList[].quantity", "numberFormat", 1],
    ];
    assert.deepEqual((await found(order(...rows), turned, "--match-rows", "cprcode")).sort(), notes.toSorted());
    assert.deepEqual((await found(order(...rows), turned)).sort(), [...notes, ["productList", "order", 1]].sort());
    const [a, b] = [order(inSchedule(1, 1), inSchedule(2, 1)), order(inSchedule(2, 1, { price: 11 }), inSchedule(1, 1, { price: 12 }))];
    assert.deepEqual(await found(a, b, "--match-rows", "cprcode"), [["productList[].price", "value", 2]]);
    assert.deepEqual(
      (await json(a, b, "--match-rows", "cprcode")).examples.map((one) => [one.path, one.right]),
      [
        ["productList[0].price", "12"],
        ["productList[1].price", "11"],
      ],
    );
  });

  test("of rows with equal keys identical ones pair first, the rest in order", async () => {
    const a = order(row(1, 1), row(1, 2), row(1, 3));
    const b = order(row(1, 2), row(1, 4), row(1, 5));
    const { examples } = await json(a, b, "--match-rows", "cprcode");
    assert.deepEqual(
      examples.filter(({ path: at }) => at.endsWith("quantity")).map(({ path: at, ...one }) => [at, one.left, one.right]),
      [
        ["productList[0].quantity", "1", "4"],
        ["productList[2].quantity", "3", "5"],
      ],
    );
  });
});

describe("verify: what is left out", () => {
  test("--ignore ignores kinds", async () => {
    const [a, b] = ['{"a":1.0,"b":1,"c":1}', '{"a":1,"b":1.001,"c":1}'];
    assert.equal((await verify(a, b)).code, 1);
    assert.equal((await verify(a, b, "--ignore", "numberFormat")).code, 1);
    const both = await verify(a, b, "--ignore", "numberFormat, underHalfSatang");
    assert.deepEqual(both, { code: 0, stdout: "1 order: 1 ignored (0.00 THB)\n0.00 THB at stake\n", stderr: "" });
    assert.equal((await verify(a, '{"a":1,"b":1.005,"c":1}', "--ignore", "numberFormat,underHalfSatang")).code, 1);
    for (const total of ["{}", '{"grandTotal":"1"}']) {
      assert.equal(
        (await json('{"grandTotal":1}', total, "--ignore", "missing,type")).withoutTotal,
        1,
        "no kind leaves out a total that cannot be compared",
      );
      assert.equal((await verify('{"grandTotal":1}', total, "--ignore-path", "grandTotal")).code, 0);
    }
  });

  test("--ignore-path takes patterns", async () => {
    const a = '{"grandTotal":1,"summary":{"grandTotal":1},"productList":[{"x":1,"price":1},{"x":1,"price":1}]}';
    const b = '{"grandTotal":1,"summary":{"grandTotal":2},"productList":[{"x":2,"price":1},{"x":2,"price":1}]}';
    const code = async (patterns) => (await verify(a, b, "--ignore-path", patterns)).code;
    for (const patterns of [
      "summary,productList",
      "summary.*,productList[].x",
      "**.grandTotal,productList[*].x",
      "summary.grand*,productList.*.x",
      "s*, productList[0].x,productList[1]",
      "**",
    ])
      assert.equal(await code(patterns), 0, patterns);
    for (const patterns of [
      "summary",
      "grandTotal,productList",
      "summary,productList[0]",
      "summary.*,*.x.y",
      "summary,productList[].xx",
      "Summary,productList",
    ])
      assert.equal(await code(patterns), 1, patterns);
    const failed = '{"error":"x"}';
    assert.equal((await verify(failed, a, "--ignore-path", "**")).code, 1, "a failure always counts");
    assert.equal((await verify(`${a}\n${a}`, a, "--ignore-path", "**")).code, 1, "and so does a missing order");
  });

  test("--accept: known differences, with a reason each", async () => {
    const a = text([
      { orderId: "A", rowTotal: 1, x: 1 },
      { orderId: "B", rowTotal: 1, x: 1 },
    ]);
    const b = text([
      { orderId: "A", rowTotal: 2, x: 1 },
      { orderId: "B", rowTotal: 2, x: 2 },
    ]);
    const entry = { path: "rowTotal", reason: "the old service takes the list price", until: "2099-12-31" };
    const accept = (...entries) => ["--key", "orderId", "--accept", file("accept.json", entries)];
    const some = await verify(a, b, ...accept(entry));
    assert.equal(some.code, 1);
    assert.match(some.stdout, /^2 orders: 1 accepted \(0\.00 THB\), 1 different\n/);
    assert.match(
      some.stdout,
      /\naccept\.json: entry 1 +rowTotal +any +the old service takes the list price \(until 2099-12-31\) +2 +2 +0\.00\n/,
    );
    assert.equal((await verify(a, b, ...accept(entry, { ...entry, path: "x", ids: ["B"], kind: "value" }))).code, 0);
    assert.equal((await verify(a, b, ...accept(entry, { ...entry, path: "x", ids: ["A"] }))).code, 1);
    assert.equal((await verify(a, b, ...accept(entry, { ...entry, path: "x", kind: "type" }))).code, 1);
    assert.match(
      (await verify(a, a, ...accept(entry))).stdout,
      /\naccept\.json: entry 1 +rowTotal +any +matches nothing: remove it +0 +0 +0\.00\n/,
    );
    const lost = accept({ kind: "unmatched", ids: ["B"], reason: "cancelled", until: "2099-12-31" });
    assert.equal((await verify(a, text([{ orderId: "A", rowTotal: 1, x: 1 }]), ...lost)).code, 0);
    assert.equal((await verify(text([{ orderId: "C" }]), a, ...lost)).code, 1);
  });

  test("--accept with a decision takes only what it explains, and the report says how much money is accepted", async () => {
    const changed = (change) => {
      const order = JSON.parse(LINES[0]);
      change(order);
      return text([order]);
    };
    const entry = (path, decision) => ({ path, decision, reason: "known", until: "2099-12-31" });
    const accepting = (b, ...entries) => verify(LINES[0], b, "--accept", file("accept.json", entries));
    const settled = changed(({ productList }) => productList.forEach((row) => (row.settlementPrice = row.rowTotal)));
    const wrong = changed(({ productList: [row] }) => (row.settlementPrice = row.rowTotal + 0.01));
    const one = entry("productList[].settlementPrice", "D17");
    assert.equal((await accepting(settled, one)).code, 0);
    assert.match((await accepting(settled, one)).stdout, /^1 order: 1 accepted \(0\.00 THB\)\n/);
    assert.match((await accepting(settled, { ...one, decision: "D16" })).stdout, /^1 order: 1 different\n/);
    assert.equal((await accepting(wrong, one)).code, 1);
    const totals = changed((order) => (order.grandTotal += 10_000));
    assert.equal((await accepting(totals, entry("grandTotal", "D15"))).code, 1);
    const any = await accepting(totals, entry("grandTotal"));
    assert.equal(any.code, 0);
    assert.match(any.stdout, /^1 order: 1 accepted \(10,000\.00 THB\)\n/);
    assert.match(any.stdout, /\naccept\.json: entry 1 +grandTotal +any +known \(until 2099-12-31\) +1 +1 +10,000\.00\n/);
    const both = changed((order) => Object.assign(order, { grandTotal: order.grandTotal + 5, subTotal: 1 }));
    assert.match((await accepting(both, entry("grandTotal"))).stdout, /^1 order: 0 accepted \(5\.00 THB\), 1 different\n/);
  });

  test("--accept takes a failure only of the side that the entry names", async () => {
    const [priced, failed] = ['{"grandTotal":9740}', '{"error":"No price for 9/1000"}'];
    const known = { path: "**", reason: "the old service is known to fail there", until: "2099-12-31" };
    const accepting = (a, b, ...entries) => verify(a, b, "--accept", file("accept.json", entries));
    const [left, right] = ["left", "right"].map((side) => ({ ...known, kind: "failed", side }));
    assert.equal((await accepting(priced, failed, known)).code, 1, "an entry without a kind");
    assert.equal((await accepting(failed, priced, { ...known, path: "error" })).code, 1);
    assert.deepEqual([(await accepting(failed, priced, left)).code, (await accepting(priced, failed, left)).code], [0, 1]);
    assert.deepEqual([(await accepting(failed, priced, right)).code, (await accepting(priced, failed, right)).code], [1, 0]);
    assert.equal((await accepting('"<html>"', "[]", left, right)).code, 1, "both sides failed");
    const { stdout } = await accepting(`${failed}\n${priced}`, `${priced}\n${failed}`, left);
    assert.match(stdout, /^2 orders: 1 accepted \(0\.00 THB, 1 without a comparable total\), 1 different\n/);
    assert.match(stdout, /\naccept\.json: entry 1 +\*\*: left failed +any +the old service/);
  });

  test("nothing but equal errors: all are the same, and no total was compared", async () => {
    const failed = '{"error":"No catalogue has been published yet"}';
    const line = "Every order failed, with the same error on both sides: no total was compared.\n";
    assert.deepEqual(await verify(`${failed}\n${failed}`, `${failed}\n${failed}`), {
      code: 0,
      stdout: `2 orders: 2 the same\n${line}`,
      stderr: "",
    });
    assert.equal((await verify(`${failed}\n{"grandTotal":1}`, `${failed}\n{"grandTotal":1}`)).stdout, "2 orders: 2 the same\n");
    assert.equal((await verify(failed, '{"error": "No catalogue has been published yet"}')).stdout, `1 order: 1 the same\n${line}`);
  });

  test("--accept: a date of the Buddhist era is refused, with the one that was meant", async () => {
    const accept = file("accept.json", [{ path: "**", reason: "known", until: "2570-01-31" }]);
    const message = "order-cost: accept.json: entry 1: until: expected a year of the common era, got 2570-01-31: 2027-01-31 was meant\n";
    assert.deepEqual(await verify("{}", "{}", "--accept", accept), { code: 2, stdout: "", stderr: message });
  });

  test("on a terminal --format json lets no text control it; --ids has such a key as JSON", async () => {
    const key = "a\u009b2J\u202e\u2028b";
    const escaped = '"a\\u009b2J\\u202e\\u2028b"';
    const sides = [1, 2].map((total) => file(`controls-${total}.ndjson`, `${JSON.stringify({ id: key, grandTotal: total })}\n`));
    const { stdout } = await run(["verify", ...sides, "--key", "id", "--format", "json", "--ids", "ids.txt"], { tty: ["stdout"] });
    assert.doesNotMatch(stdout, /[\u009b\u202e\u2028]/);
    assert.ok(stdout.includes(escaped));
    assert.equal(JSON.parse(stdout).different, 1);
    assert.equal(readFileSync(path("ids.txt"), "utf8"), `${escaped}\n`);
  });

  test("--accept: a side belongs to a failure, and a failure has one", async () => {
    const refused = (entry) =>
      verify("{}", "{}", "--accept", file("accept.json", [{ path: "**", reason: "known", until: "2099-12-31", ...entry }]));
    const which = `expected the side that failed: "left", the first file or the captured answer, or "right", the second file or this version's answer`;
    for (const side of [undefined, "both", "new"]) {
      assert.deepEqual(await refused({ kind: "failed", side }), {
        code: 2,
        stdout: "",
        stderr: `order-cost: accept.json: entry 1: side: ${which}\n`,
      });
    }
    for (const kind of [undefined, "value", "unmatched"]) {
      assert.equal(
        (await refused({ kind, side: "left" })).stderr,
        'order-cost: accept.json: entry 1: side: only an entry of "kind": "failed" has one\n',
      );
    }
  });

  test("what is ignored is counted apart from what is the same, with its money", async () => {
    const a = Array.from({ length: 200 }, (_, index) => `{"grandTotal":1000,"x":${index}}\n`).join("");
    const totals = ["26.00", "1974.00"]; // ∓974
    const b = Array.from({ length: 200 }, (_, index) => `{"grandTotal":${index < 10 ? totals[index % 2] : "1000"},"x":${index}}\n`).join(
      "",
    );
    const expected = { code: 0, stdout: "200 orders: 190 the same, 10 ignored (9,740.00 THB)\n0.00 THB at stake\n", stderr: "" };
    assert.deepEqual(await verify(a, b, "--ignore", "value"), expected);
    assert.deepEqual(await verify(a, b, "--ignore-path", "grandTotal"), expected);
    const { same, ignoredOrders, ignoredAtStake } = await json(a, b, "--ignore", "value");
    assert.deepEqual({ same, ignoredOrders, ignoredAtStake }, { same: 190, ignoredOrders: 10, ignoredAtStake: "9740" });
    const other = (await verify('{"grandTotal":1,"x":1}', '{"grandTotal":6,"x":2}', "--ignore-path", "grandTotal")).stdout;
    assert.match(other, /^1 order: 0 ignored \(5\.00 THB\), 1 different\n0\.00 THB at stake\n/);
    assert.match(
      (await verify('{"grandTotal":1}', "{}", "--ignore-path", "grandTotal")).stdout,
      /^1 order: 1 ignored \(0\.00 THB, 1 without a comparable total\)\n/,
    );
  });

  test("--ignore-path: a pattern that matches nothing is named", async () => {
    const [a, b] = ['{"grandTotal":1,"x":1}', '{"grandTotal":1,"x":2}'];
    const stderr = async (patterns) => (await verify(a, b, "--ignore", "value", "--ignore-path", patterns)).stderr;
    assert.equal(await stderr("x,**"), "", "each may match what another one does");
    assert.equal(
      await stderr("grandTotall,x,foo"),
      "order-cost: --ignore-path: grandTotall matches no difference\norder-cost: --ignore-path: foo matches no difference\n",
    );
  });

  test("--accept fails when a date has passed, and names the entry", async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const today = new Date().toISOString().slice(0, 10);
    const entry = { path: "rowTotal", reason: "list price", until: "2099-12-31" };
    const accepting = (...entries) => verify('{"a":1}', '{"a":1}', "--accept", file("accept.json", entries));
    assert.equal((await accepting({ ...entry, until: today })).code, 0);
    assert.deepEqual(await accepting(entry, { ...entry, until: yesterday }), {
      code: 2,
      stdout: "",
      stderr: `order-cost: accept.json: entry 2: rowTotal: was accepted until ${yesterday}, which has passed (list price)\n`,
    });
    const lost = { kind: "unmatched", reason: "cancelled", until: "2020-02-29" };
    assert.equal(
      (await accepting({ ...entry, until: yesterday }, entry, lost)).stderr,
      `order-cost: accept.json: entry 1: rowTotal: was accepted until ${yesterday}, which has passed (list price)\n` +
        "order-cost: accept.json: entry 3: unmatched: was accepted until 2020-02-29, which has passed (cancelled)\n",
    );
  });

  test("--accept: a wrong file is 2, and one sentence says what and where", async () => {
    const good = { path: "a", reason: "b", until: "2099-12-31" };
    const cases = [
      ["[", "accept.json:1:2: expected JSON: a closing bracket is missing"],
      ["{}", 'accept.json: expected a list of {"path", "reason", "until"}'],
      ["[1]", 'accept.json: entry 1: expected {"path", "reason", "until"}'],
      [[{ ...good, why: 1 }], "accept.json: entry 1: why: unknown; an entry has path, kind, side, decision, ids, reason, until"],
      [[{ ...good, path: 1 }], 'accept.json: entry 1: path: expected a pattern such as "productList[].rowTotal"'],
      [
        [{ ...good, kind: "x" }],
        "accept.json: entry 1: kind: expected one of missing, type, numberFormat, underHalfSatang, value, order, failed, unmatched",
      ],
      [[{ ...good, decision: "d15" }], 'accept.json: entry 1: decision: expected one that explains differences, such as "D15"'],
      [[{ ...good, ids: "x" }], "accept.json: entry 1: ids: expected a list of keys"],
      [[good, { ...good, reason: " " }], "accept.json: entry 2: reason: expected a sentence that says why the difference is accepted"],
      [[{ ...good, until: "2099-02-30" }], 'accept.json: entry 1: until: expected a date such as "2027-01-31"'],
      [[{ ...good, until: undefined }], 'accept.json: entry 1: until: expected a date such as "2027-01-31"'],
    ];
    for (const [content, sentence] of cases) {
      assert.deepEqual(await verify("{}", "{}", "--accept", file("accept.json", content)), {
        code: 2,
        stdout: "",
        stderr: `order-cost: ${sentence}\n`,
      });
    }
    for (const name of ["none", ""]) {
      const { code, stderr } = await verify("{}", "{}", "--accept", name);
      assert.deepEqual({ code, stderr }, { code: 2, stderr: `order-cost: cannot read ${name}: no such file or directory\n` });
    }
  });
});

describe("verify: money at stake", () => {
  test("is exact, whatever the number of digits", async () => {
    const a = text(Array.from({ length: 10 }, () => ({ grandTotal: 0 })));
    const b = text(Array.from({ length: 10 }, (_, index) => `{"grandTotal":${index % 2 ? "-" : ""}0.1}`));
    assert.equal((await json(a, b)).atStake, "1");
    assert.equal(
      (await json('{"grandTotal":12345678901234567.64}', '{"grandTotal":0.0000000000000000000000000001}')).atStake,
      "12345678901234567.6399999999999999999999999999",
    );
    assert.match(
      (await verify('{"grandTotal":12345678901234567.64}', '{"grandTotal":0}')).stdout,
      /^1 order: 1 different\n12,345,678,901,234,567\.64 THB at stake, net -12,345,678,901,234,567\.64 \(right − left\): 1 order has another grand total\n/,
    );
  });

  test("tables show baht to the satang; what only names something has no largest difference", async () => {
    const [a, b] = ['{"grandTotal":1,"orderDate":1}', '{"grandTotal":15.05000000000008,"orderDate":982797923}'];
    assert.match((await verify(a, b)).stdout, /^1 order: 1 different\n14\.05 THB at stake/);
    assert.equal((await json(a, b)).atStake, "14.05000000000008");
    assert.deepEqual(
      (await json(a, b)).fields.map(({ field, largest }) => [field, largest]),
      [
        ["grandTotal", "14.05000000000008"],
        ["orderDate", null],
      ],
    );
  });

  test("at stake is the sum of the sizes, net the sum, right − left", async () => {
    const totals = (...list) => list.map((total) => `{"grandTotal":${total}}\n`).join("");
    const head = async (a, b) => (await verify(a, b)).stdout.split("\n")[1];
    assert.equal(
      await head(totals(100, 100), totals("97.4", "102.6")),
      "5.20 THB at stake, net +0.00 (right − left): 2 orders have other grand totals",
    );
    assert.equal(
      await head(totals(100, 100), totals("97.4", "100.1")),
      "2.70 THB at stake, net -2.50 (right − left): 2 orders have other grand totals",
    );
    assert.equal((await json(totals(0), totals("0.1234567890123456789"))).net, "0.1234567890123456789");
    assert.equal((await json(totals("0.3"), totals("0.1"))).net, "-0.2");
  });

  test("with no money 0.00 THB stands there", async () => {
    assert.match(
      (await verify('{"grandTotal":1,"x":1}', '{"grandTotal":1,"x":2}')).stdout,
      /^1 order: 1 different\n0\.00 THB at stake\n\n/,
    );
    assert.equal((await verify("{}", "{}")).stdout, "1 order: 1 the same\n");
  });

  test("orders that a side failed are counted by side, with what the other side priced them at", async () => {
    const failed = '{"error":"No price for 9/1000"}';
    const priced = ["1000.10", "400.20", "2000", '"x"'].map((total) => `{"grandTotal":${total}}`);
    const a = [failed, failed, priced[2], priced[3], '"<html>"'].join("\n");
    const b = [priced[0], priced[1], failed, failed, failed].join("\n");
    assert.match(
      (await verify(a, b)).stdout,
      /^5 orders: 5 different\n0\.00 THB at stake\n4 failed on one side: 2 in left\.ndjson, 2 in right\.ndjson \(3,400\.30 THB priced by the other side, 1 without a total\)\n1 failed on both sides, with answers that cannot be compared\n\n/,
    );
    const { failedLeft, failedRight, failedBoth, failedPriced, failedWithoutTotal, withoutTotal } = await json(a, b);
    assert.deepEqual(
      { failedLeft, failedRight, failedBoth, failedPriced, failedWithoutTotal, withoutTotal },
      { failedLeft: 2, failedRight: 2, failedBoth: 1, failedPriced: "3400.3", failedWithoutTotal: 1, withoutTotal: 0 },
    );
    assert.match((await verify(priced[0], failed)).stdout, /\n1 failed on one side: 0 in left\.ndjson, 1 in right\.ndjson \(1,000\.10 THB/);
  });

  test("what is ignored, accepted, failed or unmatched is not counted", async () => {
    const [a, b] = ['{"grandTotal":1.001,"x":1}', '{"grandTotal":1.002,"x":2}'];
    assert.equal((await json(a, b)).atStake, "0.001");
    assert.equal((await json(a, b, "--ignore", "underHalfSatang")).atStake, "0");
    assert.equal((await json(`${a}\n${a}`, '{"error":"x"}')).atStake, "0");
  });
});

describe("verify: what it shows", () => {
  test("equal responses are 0, with any order of keys and any white space", async () => {
    const { code, stdout, stderr } = await verify('{"a":1,"b":[2]}\n{"c":null}\n', '{"b": [2], "a": 1}\r\n\n{"c":null}');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.equal(stdout, "2 orders: 2 the same\n1 order has its keys in another order, which is no difference (D1, D3).\n");
    assert.equal((await verify('[{"a":1},{"b":2}]', '{"a":1}\n{"b":2}\n')).stdout, "2 orders: 2 the same\n");
    assert.equal((await verify('{\n"a":1\n}', '{"a":1}')).stdout, "1 order: 1 the same\n");
  });

  test("differences are 1: by field and kind, and the worst with both values as written", async () => {
    const a = `\
{"grandTotal":100.0,"rows":[{"price":1.5},{"price":2}],"note":"x"}
{"grandTotal":5}
{"grandTotal":0.1,"shipping":1}
`;
    const b = `\
{"grandTotal":100,"rows":[{"price":1.75},{"price":12}],"note":"y"}
{"grandTotal":"5.5"}
{"grandTotal":0.1000000000000000000001}
`;
    assert.deepEqual(await verify(a, b), {
      code: 1,
      stderr: "",
      stdout: `\
3 orders: 3 different
0.00 THB at stake, net +0.00 (right − left): 1 order has another grand total
1 order has no comparable total: one side has no number as grandTotal

decision   why they differ                               policy that removes it   orders   fields   THB moved   net THB
           unexplained                                                                 2        4        0.00      0.00
D1         one side lacks keys beyond the 28 flat ones                                 1        1        0.00      0.00
D5         the same number in another notation                                         1        1        0.00      0.00
D19        the digits of floating-point arithmetic                                     1        1        0.00     +0.00

field          kind              why           count   largest difference
grandTotal     type              unexplained       1
rows[].price   value             unexplained       2                10.00
note           value             unexplained       1
grandTotal     underHalfSatang   D19               1                 0.00
shipping       missing           D1                1
grandTotal     numberFormat      D5                1                 0.00

the worst   where           field           kind              why           left    right
2           left.ndjson:2   grandTotal      type              unexplained   5       "5.5"
1           left.ndjson:1   rows[1].price   value             unexplained   2       12
1           left.ndjson:1   rows[0].price   value             unexplained   1.5     1.75
1           left.ndjson:1   note            value             unexplained   "x"     "y"
3           left.ndjson:3   grandTotal      underHalfSatang   D19           0.1     0.1000000000000000000001
3           left.ndjson:3   shipping        missing           D1            1       (missing)
1           left.ndjson:1   grandTotal      numberFormat      D5            100.0   100
`,
    });
  });

  test("--format json for programs", async () => {
    const report = await json('{"a":1.0,"b":[1]}\n{"a":1}', '{"a":1,"b":[3.50]}\n{"a":1}');
    assert.deepEqual(report, {
      left: "left.ndjson",
      right: "right.ndjson",
      alignment: null,
      limit: null,
      matchRows: null,
      reason: null,
      orders: 2,
      same: 1,
      different: 1,
      unmatched: 0,
      onlyLeft: 0,
      onlyRight: 0,
      failedAlike: 0,
      otherKeyOrder: 0,
      otherRows: 0,
      withoutRowField: 0,
      withoutTotal: 0,
      failedLeft: 0,
      failedRight: 0,
      failedBoth: 0,
      failedPriced: "0",
      failedWithoutTotal: 0,
      atStake: "0",
      net: "0",
      ordersAtStake: 0,
      ordersOfSeveralReasons: 0,
      ignoredOrders: 0,
      ignoredAtStake: "0",
      ignoredWithoutTotal: 0,
      acceptedOrders: 0,
      acceptedAtStake: "0",
      acceptedWithoutTotal: 0,
      explanations: [
        { decision: null, what: "unexplained", policy: null, orders: 1, differences: 1, atStake: "0", net: "0" },
        { decision: "D5", what: "the same number in another notation", policy: null, orders: 1, differences: 1, atStake: "0", net: "0" },
      ],
      fields: [
        { field: "b[]", kind: "value", why: "unexplained", count: 1, largest: "2.5" },
        { field: "a", kind: "numberFormat", why: "D5", count: 1, largest: "0" },
      ],
      differences: 2,
      examples: [
        { id: "1", where: "left.ndjson:1", path: "b[0]", kind: "value", why: "unexplained", left: "1", right: "3.50" },
        { id: "1", where: "left.ndjson:1", path: "a", kind: "numberFormat", why: "D5", left: "1.0", right: "1" },
      ],
      accepted: [],
    });
  });

  test("an order on one side only is counted as a difference", async () => {
    const more = await verify('{"a":1}\n{"a":2}\n{"a":3}\n', '{"a":1}\n', "--ignore", "missing");
    assert.equal(more.code, 1);
    assert.match(more.stdout, /^3 orders: 1 the same, 2 unmatched \(only in left\.ndjson\)\n/);
    assert.match((await verify("", '{"a":1}')).stdout, /^1 order: 1 unmatched \(only in right\.ndjson\)\n/);
    assert.equal((await json('{"a":1}', '{"a":1}\n{"a":2}')).onlyRight, 1);
  });

  test("an order that failed on one side has only that difference", async () => {
    const failed = '{"error":"No price for 9/1000"}';
    const { fields, examples } = await json('{"grandTotal":1,"subTotal":1}', failed);
    assert.deepEqual(fields, [{ field: "error", kind: "failed", side: "right", why: "unexplained", count: 1, largest: null }]);
    assert.deepEqual(
      examples.map((one) => [one.left, one.right]),
      [["priced", '"No price for 9/1000"']],
    );
    assert.equal((await verify(failed, failed)).code, 0);
    assert.equal((await verify('{"grandTotal":1}', failed, "--ignore", "missing,type,value")).code, 1);
    const page = await json('{"grandTotal":1}', '"<html>"', "--ignore", "missing,type,value");
    assert.deepEqual(
      page.examples.map(({ path: at, kind, why, right: value }) => [at, kind, why, value]),
      [["answer", "failed", "unexplained", '"<html>"']],
    );
    assert.equal((await json('{"grandTotal":1}', "[[1]]", "--ignore", "type")).fields[0].kind, "failed");
  });

  test("a failure shows its text, and the other side that it priced the order", async () => {
    const [priced, failed] = ['{"orderId":"A","grandTotal":1}', '{"error":"No price for 9/1000"}'];
    assert.match(
      (await verify(failed, priced)).stdout,
      /\nA +left\.ndjson +error +left failed +unexplained +"No price for 9\/1000" +priced\n/,
    );
    const { side, ...page } = (await json(priced, '"<html>"')).examples[0];
    assert.deepEqual([side, page.left, page.right], ["right", "priced", '"<html>"']);
    const other = priced.replace("A", "B");
    const moved = (await verify(text([priced, failed, other]), text([priced, other]), "--key", "orderId")).stdout;
    assert.match(moved, /\nleft\.ndjson:2 +left\.ndjson:2 +unmatched +"No price for 9\/1000"\n/);
    const turned = (await json(text([priced, other]), text([priced, failed, other]), "--key", "orderId")).examples;
    assert.deepEqual(
      turned.map((one) => [one.kind, one.left, one.right]),
      [["unmatched", null, '"No price for 9/1000"']],
    );
  });

  test("numbers beyond all doubles differ too, without a size", async () => {
    const { fields } = await json('{"a":1e999999}', '{"a":1e999998}');
    assert.deepEqual(fields, [{ field: "a", kind: "value", why: "unexplained", count: 1, largest: null }]);
  });

  test("--reason lists the orders of one reason, all of them, in --ids too", async () => {
    const old = Array.from({ length: 9 }, (_, index) => `{"orderId":"A-${index}","grandTotal":${index % 2 ? 5 : "5.0"}}\n`).join("");
    const ours = Array.from({ length: 9 }, (_, index) => `{"orderId":"A-${index}","grandTotal":${index % 2 ? 6 : 5}}\n`).join("");
    const idsFor = async (reason) => {
      const { stdout } = await verify(old, ours, "--key", "orderId", "--reason", reason, "--ids", "ids.txt", "--examples", "100");
      return [readFileSync(path("ids.txt"), "utf8").match(/\d+/g).join(), stdout.match(/\nA-\d/g).length, stdout.match(/^.*\n/)[0]];
    };
    assert.deepEqual(await idsFor("D5"), ["0,2,4,6,8", 5, "9 orders: 9 different\n"]);
    assert.deepEqual(await idsFor("unexplained"), ["1,3,5,7", 4, "9 orders: 9 different\n"]);
    const { code, stderr } = await verify(old, ours, "--reason", "X9");
    assert.equal(code, 2);
    assert.match(stderr, /'X9' is invalid\. Expected a decision that explains differences, such as D29, or unexplained\./);
  });

  test("--examples limits the number; the largest come first, and no field crowds out the others", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const a = numbers.map(() => '{"a":0,"b":0}\n').join("");
    const b = numbers.map((number) => `{"a":${(number * 7) % 50},"b":0.25}\n`).join("");
    const values = async (...args) => (await json(a, b, ...args)).examples.map(({ path: at, right: value }) => `${at} ${value}`);
    assert.deepEqual(await values(), ["a 49", "a 48", "a 47", "b 0.25", "b 0.25", "b 0.25"]);
    assert.deepEqual(await values("--examples", "2"), ["a 49", "a 48"]);
    assert.deepEqual(await values("--examples", "0"), []);
    assert.doesNotMatch((await verify(a, b, "--examples", "0")).stdout, /the worst/);
    assert.match((await verify(a, b)).stdout, /\n6 of 99 differences: at most 3 of each line above, at most --examples in all\n$/);
  });

  test("a list that is cut says so", async () => {
    const fields = (value) => JSON.stringify(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x${index}`, value])));
    assert.match((await verify(fields(1), fields(2))).stdout, /\n20 of 25; --format json has all\n\nthe worst/);
    assert.doesNotMatch((await verify('{"a":1}', '{"a":2}')).stdout, / of /);
  });

  test("odd keys, long values and control characters are shown safely", async () => {
    const { examples } = await json('{"a.b":{"":{"x[0]":1.0}},"a":{"b":7}}', '{"a.b":{"":{"x[0]":2}},"a":{"b":8}}');
    assert.deepEqual(
      examples.map((one) => [one.path, one.left, one.right]),
      [
        ["a.b..x[0]", "1.0", "2"],
        ["a.b", "7", "8"],
      ],
    );
    const { stdout } = await verify(
      `{"orderId":"\\u001b[31m","a\\u001b":"${"x".repeat(100)}"}`,
      '{"a\\u001b":"y","orderId":"\\u001b[31m"}',
      "--key",
      "orderId",
    );
    assert.match(stdout, /\n\\u001b\[31m +left\.ndjson +a\\u001b {2,}value +unexplained +"x{38}… {3}"y"\n$/);
    assert.doesNotMatch(stdout, /\p{Cc}(?<!\n)/u);
  });
});

describe("verify: what it reads", () => {
  test("one side may be standard input, both may not", async () => {
    const input = '{"a":1}\n';
    assert.equal((await run(["verify", left(input), "-"], { input })).code, 0);
    assert.equal((await run(["verify", "-", left(input)], { input: '{"a":2}' })).code, 1);
    for (const args of [[], ["--key", "a"]]) {
      assert.deepEqual(await run(["verify", "-", "-", ...args], { input }), {
        code: 2,
        stdout: "",
        stderr: "order-cost: only one side can be standard input\n",
      });
    }
  });

  test("what is nested too deep, or too long to compare, is unreadable, and the sentence says where", async () => {
    const good = '{"orderId":"A","a":1}\n';
    const deep = (inner) => `${good}{"orderId":"B","x":${"[".repeat(20_000)}${inner}${"]".repeat(20_000)}}\n`;
    for (const args of [[], ["--key", "orderId"]]) {
      const { code, stdout, stderr } = await verify(deep(""), deep("1"), ...args);
      assert.deepEqual(
        [code, stdout, stderr],
        [2, "", "order-cost: left.ndjson:2:1019: expected a response as JSON: nested more than 1000 levels\n"],
      );
    }
    const brackets = `${"[".repeat(900)}"${"[".repeat(2000)}\\"["${"]".repeat(900)}`;
    assert.equal((await verify(`{"x":${brackets}}`, `{"x":${brackets}}`)).code, 0);
    const long = (count) => `${good}{"x":"${"\\n".repeat(count)}"}\n`;
    assert.equal(
      (await verify(long(20_000_000), long(20_000_001))).stderr,
      "order-cost: left.ndjson:2, right.ndjson:2: too large for this command\n",
    );
  });

  test("unreadable input is 2, and one sentence says what and where", async () => {
    const good = '{"a":1}\n';
    assert.equal(
      (await verify(`${good}nope\n`, `${good}nope\n`)).stderr,
      "order-cost: left.ndjson:2:1: expected a response as JSON: this is no value\n",
    );
    assert.equal((await verify(good, "<html>")).stderr, "order-cost: right.ndjson:1:1: expected a response as JSON: this is no value\n");
    const latin = Buffer.from(good.replace("a", "\u00e9"), "latin1");
    assert.equal(
      (await verify(latin, latin)).stderr,
      "order-cost: left.ndjson:1:3: expected a response as JSON: a character is not UTF-8\n",
    );
    assert.equal((await verify("", "\n")).stderr, "order-cost: left.ndjson and right.ndjson: no responses in them\n");
    assert.equal((await verify("", "\n", "--key", "a")).stderr, "order-cost: left.ndjson and right.ndjson: no responses in them\n");
    assert.equal((await run(["verify", "none", left(good)])).stderr, "order-cost: cannot read none: no such file or directory\n");
    for (const code of [(await verify(good, "<html>")).code, (await verify("", "")).code, (await run(["verify", "none", "none"])).code])
      assert.equal(code, 2);
  });

  test("it ends although its input pipe stays open", async () => {
    for (const args of [[], ["--key", "a"]]) {
      const child = start(["verify", left('{"a":1}\n'), "-", ...args]);
      child.stdin.write('{"a":1}\nnope\n');
      assert.equal(await new Promise((resolve) => child.once("close", resolve)), 2);
    }
  });

  test("verify reads what price writes, in any number", async () => {
    const facts = (price) => file(`facts-${price}.json`, { prices: { 1001: { price, originalPrice: 40 }, 1003: { price: 231 } } });
    const order = (cprcode) => `${JSON.stringify({ productList: [{ cprcode, productName: "x", quantity: 1 }] })}\n`;
    const input = `${order(1001)}${order(9)}${order(1003)}`.repeat(100);
    await run(["price", file("orders.ndjson", input), "-f", facts(37.25), "-o", "before.ndjson"]);
    const again = (await run(["price", "-f", facts(37.25)], { input })).stdout;
    assert.equal((await run(["verify", "before.ndjson", "-"], { input: again })).stdout, "300 orders: 300 the same\n");
    await run(["price", "orders.ndjson", "-f", facts(37.5), "-o", "after.ndjson"]);
    const { code, stdout } = await run(["verify", "before.ndjson", "after.ndjson"]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^300 orders: 200 the same, 100 different\n25\.00 THB at stake, net \+25\.00 \(right − left\): 100 orders have other grand totals\n/,
    );
    assert.match(stdout, /\nproductList\[\]\.price +value +unexplained +100 +0\.25\n/);
    assert.match(stdout, /\ngrandTotal +value +follows from productList\[\]\.price +100 +0\.25\n/);
  });
});

describe("verify: many pairs", () => {
  /** How many pairs, what each of their texts carries, and how many kB a pair may take: less than its texts. */
  const [FEW, MANY, remark, KILOBYTES_A_PAIR] = allAtNight([1_000, 3_000, "x".repeat(40_000), 20], [33_333, 100_000, "", 0.5]);

  const LONG = LINES[7].replace("{", `{"remark":"${remark}",`);

  /** Writes responses in the order of `numbers`. */
  async function write(name, numbers, template = LINES[7]) {
    const stream = createWriteStream(path(name));
    for (const number of numbers) {
      if (!stream.write(`${template.replace('"A-7"', `"A-${number}"`)}\n`)) await once(stream, "drain");
    }
    stream.end();
    await once(stream, "close");
  }

  /** The peak size of the process in MB. */
  async function peak(count, { shuffled }) {
    const numbers = Array.from({ length: count }, (_, index) => index);
    await write("many-left.ndjson", numbers, LONG);
    await write("many-right.ndjson", shuffled ? numbers.map((index) => (index * 48_271) % count) : numbers, LONG);
    const args = ["verify", "many-left.ndjson", "many-right.ndjson", ...(shuffled ? ["--key", "orderId"] : [])];
    const { stdout, megabytes } = await measured(args);
    assert.equal(stdout, `${count.toLocaleString("en")} orders: ${count.toLocaleString("en")} the same\n`);
    return megabytes;
  }

  for (const shuffled of allAtNight([true], [false, true])) {
    test(`memory is bounded ${shuffled ? "with --key, in another order" : "by position"}`, async (context) => {
      const [small, large] = [await peak(FEW, { shuffled }), await peak(MANY, { shuffled })];
      const sizes = `${small.toFixed(0)} MB at ${FEW} pairs, ${large.toFixed(0)} MB at ${MANY}`;
      context.diagnostic(sizes);
      assert.ok(large < 286 && large - small < ((MANY - FEW) * KILOBYTES_A_PAIR) / 1_049, sizes);
    });
  }

  test("a progress bar on a terminal, by bytes, and none elsewhere", async () => {
    await write(
      "many-left.ndjson",
      Array.from({ length: 500 }, (_, index) => index),
    );
    for (const args of [[], ["--key", "orderId"]]) {
      const shown = await run(["verify", "many-left.ndjson", "many-left.ndjson", ...args], { tty: ["stderr"] });
      assert.match(shown.stderr, /█+ 100% · 500 orders · /);
      assert.match(shown.stderr, /░/);
      assert.equal(shown.stdout, "500 orders: 500 the same\n");
      assert.equal((await run(["verify", "many-left.ndjson", "many-left.ndjson", ...args])).stderr, "");
    }
  });
});
