// `order-cost explain`: the steps of captured orders, for a person.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { explainText } from "order-cost/messages";
import packageJson from "../../pkg/package.json" with { type: "json" };
import { DECISIONS } from "../../pkg/response/decisions.js";
import { add, decimal, decimalText } from "../../pkg/shared/decimal.js";
import module from "../../pkg/wasm/sha256.js";
import { allAtNight, someOf } from "../effort.js";
import { deliveredBy } from "../zones.js";
import { capture, goldenCaptures, HASH, HOST, ORDER, ZONES } from "./captured.js";
import { file, measured, path, run } from "./command.js";

/** The columns of a text: a Thai vowel above its letter takes no column. */
const columnsOf = (text) => text.replaceAll(/\p{Mn}/gu, "").length;

const explain = (...args) => run(["explain", ...args]);
const OURS = { dataVersion: "2026-11-23T10.00", package: packageJson.version, module };

mkdirSync(path("zones"));
file("zones/0f3a", ZONES);
const small = file(
  "small.json",
  await capture("r-1", { ...ORDER, shipping: deliveredBy("PICKUP") }, { noted: OURS, options: { policy: { rowTotal: "list" } } }),
);
const missing = file(
  "missing.json",
  await capture("r-3", { productList: [{ cprcode: 9, productName: "ปลา", quantity: 1 }] }, { noted: OURS }),
);
const captures = [];
for await (const { name, zones, text } of goldenCaptures()) {
  if (zones) file(`zones/${name}`, zones);
  captures.push(text);
}
const golden = file("golden.ndjson", captures.join("\n"));
const mixed = { ...ORDER, ownerId: "malee", voucherId: ["V", "W"], couponCodeList: ["A"], shipping: deliveredBy("REGULAR") };
/** W is another customer's. */
const lookupVouchers = (ids) =>
  ids.map((voucherId) => ({
    voucherId,
    ownerId: voucherId === "W" ? "somchai" : "malee",
    value: voucherId === "W" ? 777 : 5,
    isActive: true,
    isUsed: false,
  }));

describe("explain", () => {
  test("an order in English: the bill, the steps with their decisions, and that the answer is the same", async () => {
    assert.deepEqual(await explain(small), {
      code: 0,
      stderr: "",
      stdout: `Order r-1
Route          calculatecost4
Data version   2026-11-23T10.00
Priced by      package ${packageJson.version}, module ${module.slice(0, 12)}
Policy         rowTotal: list

product       quantity   price   amount
น้ำปลา · 1            3   37.25   111.75

Subtotal                         111.75
Grand total                      111.75

step                                                 amount   running total
Product 1: 3 × ฿37.25 = ฿111.75.                     111.75          111.75
  D15 rowTotal
Product 1 at its list price: 3 × ฿40.00 = ฿120.00.   120.00
  D15 rowTotal
Delivery 1 costs nothing: you collect it yourself.     0.00          111.75
  D37 pickup
Your total without controlled products is ฿111.75.   111.75
  D20 totalExcludeControlledProducts
An amount without a running total changes no total.
7 steps of 0 that do not apply: --all shows them.

decisions
D15 rowTotal: A row comes to price × quantity, and never to less than 0 baht.
D20 totalExcludeControlledProducts: The total less the rows of controlled
  products; it may be below 0 baht.
D37 pickup: A schedule that is picked up has no delivery fee.

This version gives the same answer, to the byte.
`,
    });
  });

  test("with --all, the steps that do not apply stand there, too", async () => {
    const { stdout } = await explain(small, "--all");
    const HIDDEN = `\
No two-for offer applies.                              0.00
No coupon has a percentage.                            0.00
  D21 percentageDiscount
No coupon lowers the delivery fee.                     0.00          111.75
  D28 shippingDiscount
No coupon lowers the price of the basket.              0.00          111.75
No buy-one-get-one offer applies.                      0.00          111.75
No voucher takes anything off.                         0.00          111.75
  D22 voucherDiscount
All discounts together come to ฿0.00.                  0.00
`;
    assert.ok(stdout.includes(HIDDEN), stdout);
    assert.doesNotMatch(stdout, /--all/);
  });

  test("what was refused is told without it: a voucher of another customer, an express schedule that pays nothing", async () => {
    const shipping = deliveredBy("REGULAR", "EXPRESS");
    const { stdout } = await explain(
      file("told.json", await capture("r-7", { ...mixed, shipping }, { zones: HASH, answers: { ...HOST, lookupVouchers } })),
    );
    assert.match(stdout, /\nThe voucher W /);
    assert.match(stdout, /\nDelivery 2 has no express surcharge: /);
    assert.doesNotMatch(stdout, /\nDelivery 1 has no express surcharge/);
  });

  test("the same order in Thai: every word of ours is Thai, and the columns stand below each other", async () => {
    const { code, stdout } = await explain(small, "--language", "th");
    assert.equal(code, 0);
    assert.match(stdout, /^คำสั่งซื้อ r-1\nเส้นทาง {6}calculatecost4\nรุ่นข้อมูล +2026-11-23T10\.00\n/);
    assert.match(stdout, /\nสินค้ารายการที่ 1: 3 × 37\.25 บาท = 111\.75 บาท +111\.75 +111\.75\n {2}D15 ยอดของรายการ\n/);
    assert.match(stdout, /\nD37 รับสินค้าเอง: รอบที่ลูกค้ารับสินค้าเองไม่มีค่าจัดส่ง\n/);
    assert.match(stdout, /\n\nรุ่นนี้ให้คำตอบเดียวกันทุกไบต์\n$/);
    const ours = stdout.replaceAll(/calculatecost4|r-1|2026-11-23T10\.00|rowTotal: list|module|--all|\b[0-9a-f]{12}\b|\bD\d+\b/g, "");
    assert.doesNotMatch(ours, /[A-Za-z]/);
    const ends = stdout
      .split("\n")
      .filter((line) => / 111\.75$/.test(line) && line.startsWith("สินค้ารายการ"))
      .map((line) => columnsOf(line));
    const head = columnsOf(stdout.split("\n").find((line) => line.startsWith("ขั้นตอน")));
    assert.deepEqual(ends, [head]);
  });

  test("no line is wider than 80 columns in a pipe, in both languages, and no word is lost", async () => {
    const text = await capture("r-long", {
      productList: [
        { ...ORDER.productList[0], productName: "ข้าวหอมมะลิคัดพิเศษจากทุ่งกุลาร้องไห้ ".repeat(8) },
        { ...ORDER.productList[0], productName: "x".repeat(300) },
      ],
      couponCodeList: ["A"],
    });
    const name = file("long.json", text);
    for (const language of ["en", "th"]) {
      const { stdout } = await explain(name, "--language", language);
      for (const line of stdout.split("\n")) assert.ok(columnsOf(line) <= 80, line);
      assert.equal(stdout.match(/x{9,}/g).join("").length, 300);
      assert.equal(stdout.replaceAll(/[\s\d.]/g, "").match(/ทุ่งกุลาร้องไห้/g).length, 8);
    }
  });

  test("the bill adds up: from the subtotal to the grand total, every golden order", async (context) => {
    const amounts = (text) => [...text.matchAll(/ (-?[\d,]+\.\d+)$/gm)].map(([, amount]) => decimal(amount.replaceAll(",", "")));
    const isRounded = (text) => text.replace(/\D/g, "").length > 20;
    const { code, stdout } = await explain(golden);
    assert.equal(code, 0);
    for (const [bill, products, total] of stdout.matchAll(/^product .*amount\n([\s\S]*?)\n\nSubtotal +(\S+)$/gm)) {
      if (isRounded(total)) continue; // D19
      assert.equal(decimalText(amounts(products).reduce(add, decimal("0"))), decimalText(amounts(` ${total}`)[0]), bill);
    }
    const bills = [...stdout.matchAll(/^(Subtotal [\s\S]*?)^Grand total +(\S+)$/gm)];
    for (const [bill, parts, total] of bills)
      assert.equal(decimalText(amounts(parts).reduce(add)), decimalText(amounts(` ${total}`)[0]), bill);
    const names = new Set(
      bills.flatMap(([, parts]) =>
        parts
          .trim()
          .split("\n")
          .map((line) => line.replace(/ +\S+$/, "")),
      ),
    );
    assert.deepEqual([...names].sort(), [
      "Buy one, get one",
      "Coupons",
      "Delivery",
      "Express surcharge",
      "No total is below 0",
      "Subtotal",
      "Vouchers",
    ]);
    context.diagnostic(`${bills.length} bills`);
  });

  test("an order that failed shows its error and what it means: that is explained, too", async () => {
    const { code, stdout } = await explain(missing);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /\n\nThis order has no price\.\nError +PRODUCT_PRICE_NOT_FOUND\nMessage +No price for 9\/1000\nMeaning +ปลา is not available at this branch\. /,
    );
    assert.match(stdout, /\n\nThis version gives the same answer, to the byte\.\n$/);
    const thai = (await explain(missing, "--language", "th")).stdout;
    assert.match(thai, /\nคำสั่งซื้อนี้ไม่มีราคา\nข้อผิดพลาด +PRODUCT_PRICE_NOT_FOUND\nข้อความ +No price for 9\/1000\nความหมาย +ปลา ไม่มีขายที่สาขานี้/);
    const broken = file(
      "broken.json",
      '{"requestId":"r","request":"{","facts":{},"new":{"status":500,"body":{"error":"Failed to parse request body"}}}',
    );
    assert.match((await explain(broken)).stdout, /\nError +INVALID_JSON\n/);
  });

  test("zones, coupons and vouchers are those of the capture; of another customer's voucher nothing shows (D30)", async () => {
    const { code, stdout } = await explain(
      file("mixed.json", await capture("r-2", mixed, { zones: HASH, answers: { ...HOST, lookupVouchers } })),
    );
    assert.equal(code, 0);
    assert.match(stdout, /The voucher W does not count: it does not belong to\s+0\.00\nyour account\.\n {2}D30 voucher record\n/);
    assert.doesNotMatch(stdout, /777|somchai/);
    assert.match(stdout, /\nDelivery 1, from the branch: ฿30\.00\. +30\.00 +141\.75\n {2}D34 delivery zones\n/);
  });

  test("an answer that this version does not give is 1: what differs, the worst first, and which package gave it", async () => {
    const changed = (SAME) => SAME.replace(/("new":.*?"rowTotal":)111.75/, "$1120").replace(/("new":.*?"grandTotal":)111.75/, "$1112");
    const show = async (noted, ...args) => explain(file("changed.json", changed(await capture("r-1", ORDER, { noted }))), ...args);
    const { code, stdout } = await show({ package: "0.0.9", module: "ab".repeat(32) });
    assert.equal(code, 1);
    const ours = `package ${packageJson.version}, module ${module.slice(0, 12)}`;
    assert.equal(
      stdout.replaceAll("\n", " ").match(/This version gives .*\. field/)[0],
      `This version gives another answer: 2 fields differ. The captured answer is from package 0.0.9, module abababababab; this is ${ours}. field`,
    );
    assert.match(
      stdout,
      /\nfield +captured +this version +why\ngrandTotal +112 +111\.75 +unexplained\nproductList\[0\]\.rowTotal +120 +111\.75 +D15\n$/,
    );
    assert.match(
      (await show(OURS)).stdout,
      /The same module priced the\s+order: its facts, its zones or its policy are not those of then\./,
    );
    assert.match((await show({})).stdout, /The capture\s+does\s+not\s+say\s+which\s+package\s+priced\s+it;/);
    assert.match(
      (await show({}, "--language", "th")).stdout,
      /\nรุ่นนี้ให้คำตอบต่างออกไป 2 ช่อง [^]*\nช่อง +ที่บันทึกไว้ +รุ่นนี้ +สาเหตุ\ngrandTotal +112 +111\.75 +ไม่ทราบสาเหตุ\n/,
    );
    const failed = (await capture("r-1", ORDER)).replace(/"new":.*/, '"new":{"status":502,"body":"bad gateway"}}');
    assert.match(
      (await explain(file("gateway.json", failed))).stdout,
      /another answer: 1 field differs\.[^]*\nanswer +502 "bad gatewa… +priced +unexplained\n$/,
    );
  });

  test("an answer whose text has other white space is the same in every field", async () => {
    const pretty = file("pretty.json", JSON.stringify(JSON.parse(await capture("r-1", ORDER)), null, 2));
    const { code, stdout } = await explain(pretty);
    assert.equal(code, 0);
    assert.match(stdout, /\nThis version gives the same answer, in every field\.\n$/);
  });

  test("of many captures --request-id shows those of one id, others are not priced; a line stands between two orders", async () => {
    const withoutZones = await capture("r-z", { ...ORDER, shipping: deliveredBy("REGULAR") }, { zones: HASH });
    const text = [
      await capture("r-1", ORDER),
      withoutZones.replace(HASH, "feed"),
      await capture("r-1", ORDER),
      await capture("r-2", ORDER),
    ].join("\n");
    const name = file("many.ndjson", text);
    const { code, stdout } = await explain(name, "--request-id", "r-1");
    assert.equal(code, 0);
    assert.equal(stdout.match(/^Order r-1$/gm).length, 2);
    assert.equal(stdout.match(/^─{80}$/gm).length, 1);
    assert.doesNotMatch(stdout, /r-2/);
    assert.deepEqual(await explain(name, "--request-id", "r-9"), {
      code: 2,
      stdout: "",
      stderr:
        "order-cost: many.ndjson: no capture has the request id r-9. An id that the client chose stands in a capture as its hash: the order's line in the log names the capture\n",
    });
  });

  test("JSON has one line for each order, every number as the pricer wrote it", async () => {
    const nationwide = await capture(
      "r-n",
      { ...ORDER, shipping: deliveredBy("NATIONWIDE") },
      { answers: { ...HOST, nationwideRate: () => '{"deliveryFee":80.1000000000000001}' } },
    );
    const name = file(
      "exact.ndjson",
      [nationwide, readFileSync(path(missing), "utf8"), nationwide.replace(/("new":.*?"grandTotal":)\d+/, "$10")].join("\n"),
    );
    const { code, stdout } = await explain(name, "--format", "json");
    assert.equal(code, 1);
    const lines = stdout.trim().split("\n");
    assert.match(
      lines[0],
      /^\{"requestId":"r-n","same":true,"order":\{.*"grandTotal":191\.8500000000000001,.*\},"steps":\[.*"runningTotal":191\.8500000000000001\}.*\]\}$/,
    );
    const [first, second, third] = lines.map((line) => JSON.parse(line));
    assert.deepEqual(Object.keys(first), ["requestId", "same", "order", "steps"]);
    assert.deepEqual(second, { requestId: "r-3", same: true, error: { code: "PRODUCT_PRICE_NOT_FOUND", message: "No price for 9/1000" } });
    assert.deepEqual(
      third.differences.map(({ path: at, kind, now, why }) => [at, kind, now, why]),
      [["grandTotal", "value", "191.8500000000000001", "unexplained"]],
    );
    assert.match((await explain(name)).stdout, /\nA delivery of dry goods to .* +80\.1000000000000001\n/);
  });

  test("nothing of the data controls the terminal", async () => {
    const text = await capture(
      "r-\u001b[31m\u202e",
      { productList: [{ cprcode: 1, productName: "\u001b]0;x\u0007\n\u009b", quantity: 1 }], couponCodeList: ["\u001b[2J"] },
      { noted: { dataVersion: "\r\u001b[1m" } },
    );
    for (const [name, capture] of Object.entries({
      good: text,
      bad: text.replace(/"new":.*/, '"new":{"status":500,"body":{"error":"\\u001b[2J"}}}'),
    })) {
      const { stdout } = await explain(file(`${name}-controls.json`, capture));
      assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
      assert.match(stdout, /^Order r-\\u001b\[31m\\u202e\n/);
    }
  });

  test("what cannot be read is 2, and one sentence says what and where", async () => {
    const head = '"requestId":"r","request":{},"facts":{}';
    const cases = [
      [["none"], "cannot read none: no such file or directory"],
      [[file("e1", `${readFileSync(path(missing), "utf8")}\n{"a":}\n`)], "e1:2:6: expected a capture as JSON: a value is missing"],
      [[file("e2", '{"requestId":"r"}')], "e2: request: missing in the capture"],
      [[file("e3", `{${head},"legacy":{}}`)], "e3: new: missing in the capture"],
      [[file("e4", `{${head},"new":{},"zones":"feed"}`)], "e4: its zones are missing: zones/feed"],
      [[file("e5", `{${head},"new":{},"module":7}`)], "e5: module: expected a string"],
    ];
    for (const [args, sentence] of cases) {
      const { code, stderr } = await explain(...args);
      assert.deepEqual({ code, stderr }, { code: 2, stderr: `order-cost: ${sentence}\n` }, args.join(" "));
    }
    assert.match((await explain(small, "--language", "fr")).stderr, /Allowed choices are en, th\./);
  });

  test("thousands of captures pass through in little memory", async () => {
    const [MANY, remark] = allAtNight([50, "x".repeat(400_000)], [3_000, ""]);
    const one = await capture("r-1", { ...ORDER, remark, shipping: deliveredBy("NATIONWIDE") });
    const name = file("thousands.ndjson", Array.from({ length: MANY }, () => one).join("\n"));
    const { stdout, megabytes } = await measured(["explain", name, "--format", "json"]);
    assert.equal(stdout.trim().split("\n").length, MANY);
    assert.ok(megabytes < 293, `${megabytes} MB`);
  });
});

describe("the names of decisions", () => {
  const sections = new Map(
    readFileSync(new URL("../../DECISIONS.md", import.meta.url), "utf8")
      .split(/^### /m)
      .slice(1)
      .map((text) => [/^D\d+/.exec(text)?.[0], text]),
  );

  test("each is a section of DECISIONS.md that says its name", () => {
    for (const [
      id,
      {
        en: [name],
      },
    ] of Object.entries(DECISIONS)) {
      const text =
        sections
          .get(id)
          ?.replaceAll(/[`*[\]]/g, "")
          .toLowerCase() ?? "";
      for (const word of name.toLowerCase().split(" ")) assert.ok(text.includes(word.replace(/s$/, "")), `${id}: ${name}`);
    }
  });

  test("each has a name and a sentence in both languages", () => {
    const names = new Set();
    for (const { en, th } of Object.values(DECISIONS)) {
      assert.match(en[1], /^[A-Z].*\.$/);
      assert.doesNotMatch(en.join(""), /\p{Script=Thai}/u);
      assert.doesNotMatch(th.join(""), /[A-Za-z]/);
      for (const [name] of [en, th]) assert.ok(!names.has(name) && names.add(name), name);
    }
  });

  test("every decision that a step of the golden corpus follows has a name, and the names are of no others", async (context) => {
    const { code, stdout } = await explain(golden, "--format", "json");
    assert.equal(code, 0);
    const steps = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).steps ?? []);
    context.diagnostic(`${steps.flat().length} steps`);
    assert.deepEqual(
      [
        ...new Set(
          steps
            .flat()
            .map(({ decision }) => decision)
            .filter(Boolean),
        ),
      ].sort(),
      Object.keys(DECISIONS).sort(),
    );
    const table = await explain(file("some.ndjson", someOf(captures).join("\n")), "--language", "th", "--all");
    assert.equal(table.code, 0);
    const shown = table.stdout.replaceAll(/\s/g, "");
    for (const step of someOf(steps).flat())
      assert.ok(shown.includes(explainText(step, "th").replaceAll(/\s/g, "").slice(0, 12)), step.rule);
  });
});
