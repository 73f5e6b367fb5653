import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createPricer } from "order-cost";
import { hostFromFacts } from "order-cost/testing";
import { POLICIES } from "../../pkg/core/policies.js";
import { allAtNight, cases, SEED, someOf } from "../effort.js";
import { readCorpus } from "../golden/corpus.mjs";
import { bodyBytes } from "../model/body.js";
import { generate } from "../model/generate.js";
import { TEST_ZONES } from "../model/generator/zones.js";
import { price } from "../model/price.js";
import { deliveredBy, squareZones } from "../zones.js";
import { CLI, file, MEASURED, path, run, spawned, start } from "./command.js";

const FACTS = {
  prices: { 1001: { price: 37.25, originalPrice: 40 }, "1002/1001": { price: 12 }, 1003: { price: 231 } },
  vouchers: {
    V1: { ownerId: "malee", value: 50, isActive: true, isUsed: false },
    V2: { ownerId: "malee", value: 50, isActive: true, isUsed: true },
  },
  rates: { DRY: { deliveryFee: 80 } },
  coupons: { discounts: [{ coupon: "SAVE10", discount: 10 }], failedCoupons: ["NOPE"] },
};
const ORDER = {
  orderId: "A-17",
  ownerId: "malee",
  productList: [
    { cprcode: 1001, productName: "น้ำปลา", quantity: 3 },
    { cprcode: 1003, productName: "ข้าวหอมมะลิ 5 กก.", quantity: 1 },
  ],
  couponCodeList: ["SAVE10", "NOPE"],
  voucherId: ["V1", "V2"],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ scheduleId: 1 }] },
};
const SMALL = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 1 }] };
const UNKNOWN = { productList: [{ cprcode: 9, productName: "?", quantity: 1 }] };
const ZONES = squareZones(30);

file("facts.json", FACTS);
file("order.json", JSON.stringify(ORDER, null, 2));
file("zones.geojson", ZONES);

const pricer = await createPricer(hostFromFacts(FACTS));
const bytes = async (order) => Buffer.from(await pricer.calculateJson(JSON.stringify(order))).toString();
const lines = (...orders) => orders.map((order) => `${JSON.stringify(order)}\n`).join("");
/** The package's options as flags of the command, such as `--row-total list`. */
/** None, the second value of each policy, the third, the fourth; the last value of one that has fewer. */
const EACH_POLICY = [
  {},
  ...[1, 2, 3].map((at) => Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [name, values[at] ?? values.at(-1)]))),
];

function flags(options) {
  const dashed = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.entries(options).flatMap(([name, value]) => [`--${dashed(name)}`, `${value}`]);
}

const priced = (args = [], options) => run(["price", "--facts", "facts.json", ...args], options);

describe("the command itself", () => {
  test("--help lists the commands, with examples, and does not load the module", async () => {
    const preload = file("no-wasm.mjs", "WebAssembly.compile = () => { throw new Error('the module is loaded'); };");
    const nodeArgs = ["--import", pathToFileURL(path(preload)).href];
    const help = await spawned(["--help"], { nodeArgs });
    for (const args of [
      ["--help"],
      ["-h"],
      ["price", "--help"],
      ["serve", "--help"],
      ["verify", "--help"],
      ["replay", "--help"],
      ["impact", "--help"],
      ["merge", "--help"],
      ["copy-catalogue", "--help"],
    ]) {
      const { code, stdout, stderr } = args[0] === "--help" ? help : await run(args);
      assert.equal(code, 0, args);
      assert.equal(stderr, "");
      assert.match(stdout, /^Usage: order-cost/);
      assert.match(stdout, /Examples:\n {2}\$ order-cost /);
    }
    assert.match((await spawned(["price", "--facts", "facts.json", "order.json"], { nodeArgs })).stderr, /the module is loaded/);
  });

  test("as a process, each command gives what it gives within one: its output, its sentences and its exit code", async () => {
    const capture = file(
      "capture.json",
      '{"requestId":"r","request":{"productList":[]},"facts":{},"new":{"error":"Invalid order: productList: expected at least one product"}}',
    );
    const receipt = ["--key", file("keys.json", { keys: [] }), "--request", "order.json", "--response", "order.json"];
    const ended = [
      [0, "price", "order.json", "--facts", "facts.json"],
      [1, "price", "-", "--facts", "facts.json"],
      [2, "serve", "--facts", "nowhere.json"],
      [1, "verify", "order.json", "-"],
      [0, "replay", capture],
      [0, "explain", capture],
      [2, "impact", capture],
      [2, "merge", capture],
      [2, "copy-catalogue", "nowhere", "copy"],
      [1, "verify-receipt", "receipt", ...receipt],
      [0, "completion", "bash"],
    ];
    for (const [code, ...args] of someOf(ended)) {
      const inOne = await run(args, { input: lines(UNKNOWN) });
      assert.equal(inOne.code, code, `${args}: ${inOne.stderr}`);
      assert.deepEqual(await spawned(args, { input: lines(UNKNOWN) }), inOne, args);
    }
  });

  test("the help of each command names its exit codes, and its examples work", async () => {
    assert.match((await run(["price", "--help"])).stdout, /Exit codes: 0 .*, 1 .*, 2 /);
    assert.match((await run(["serve", "--help"])).stdout, /Exit codes: 0 .*, 2 /);
    assert.match((await run(["verify", "--help"])).stdout, /Exit codes: 0 .*, 1 .*, 2 /);
    assert.match((await run(["replay", "--help"])).stdout, /Exit codes: 0 .*, 1 .*, 2 /);
    assert.match((await run(["impact", "--help"])).stdout, /Exit codes: 0 .*, 1 .*, 2 /);
    assert.match((await run(["merge", "--help"])).stdout, /Exit codes: 0 .*, 1 .*, 2 /);
    const facts = (await run(["price", "--help"])).stdout.match(/delivery zones:\n( {2}\{.*?\n {2}\}\n)/s)[1];
    const result = await run(["price", "-f", file("help-facts.json", facts)], { input: lines(SMALL) });
    assert.equal(JSON.parse(result.stdout).grandTotal, 37.25);
  });

  test("--version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../pkg/package.json", import.meta.url)));
    assert.deepEqual(await run(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("wrong usage is 2 and one sentence that names the help", async () => {
    const cases = [
      [["frob"], "order-cost: unknown command 'frob'"],
      [["price", "order.json"], "order-cost: required option '-f, --facts <file>' not specified"],
      [["price", "order.json", "-f"], "order-cost: option '-f, --facts <file>' argument missing"],
      [["price", "a", "b", "-f", "facts.json"], /too many arguments for 'price'/],
      [["price", "-f", "facts.json", "--formt", "json"], "order-cost: unknown option --formt, did you mean --format?"],
      [["price", "-f", "facts.json", "--format", "xml"], /'xml' is invalid. Allowed choices are json, table./],
      [["price", "-f", "facts.json", "--row-total", "x"], /Allowed choices are effective, list./],
      [["price", "-f", "facts.json", "--free-shipping", "x"], /Allowed choices are asStated, waivesDelivery./],
      [["price", "-f", "facts.json", "--max-products", "1.5"], /'1.5' is invalid. Expected a whole number./],
      [["price", "order.json", "--fact", "facts.json"], "order-cost: unknown option --fact, did you mean --facts?"],
      [["price", "order.json", "--fact=facts.json"], "order-cost: unknown option --fact, did you mean --facts?"],
      [["price", "-f", "facts.json", "-f", "other.json"], "order-cost: --facts: expected it once"],
      [["verify", "a", "b", "--zzzzzz"], "order-cost: unknown option --zzzzzz"],
      [["verify", "order.json"], "order-cost: missing required argument 'right'"],
      [["verify", "a", "b", "--ignore", "x"], /'x' is invalid. Allowed kinds are missing, type, numberFormat/],
      [["verify", "a", "b", "--max-different", "0.1"], /'0.1' is invalid. Expected a percentage from 0% to 100%, such as 0.1%./],
      [["replay"], "order-cost: missing required argument 'captures'"],
      [["replay", "a", "--against", "old"], /'old' is invalid. Allowed choices are new, legacy./],
      [["verify", "a", "b", "--examples", "-1"], /'-1' is invalid. Expected a whole number./],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" }, args.join(" "));
      assert.match(stderr, /\(--help says more\)\n$/);
      if (typeof message === "string") assert.equal(stderr, `${message}\n(--help says more)\n`);
      else assert.match(stderr, message);
    }
    const { code, stdout, stderr } = await run([]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(stderr, /^Usage: order-cost/);
  });

  test("the licence of every bundled library is included", () => {
    const text = readFileSync(CLI.replace("cli.js", "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of ["cli-progress", "cli-table3", "commander", "jsonc-parser", "picocolors", "simple-wcswidth"]) {
      assert.match(text, new RegExp(`-{80}\n${name} \\d+\\.\\d+\\.\\d+\n\n.*?Permission`, "s"));
    }
    assert.ok(!existsSync(CLI.replace("cli.js", "cli")), "its sources are not published");
    const { dependencies } = JSON.parse(readFileSync(CLI.replace("cli.js", "package.json"), "utf8"));
    assert.equal(dependencies, undefined);
  });
});

describe("price: what it reads", () => {
  test("one order, over many lines or on one, gives the bytes of calculateJson on one line", async () => {
    assert.equal((await priced([file("line.json", lines(SMALL))])).stdout, `${await bytes(SMALL)}\n`);
    assert.equal((await priced([file("unknown.json", lines(UNKNOWN))])).stderr, "unknown.json: No price for 9/1000\n");
    assert.deepEqual(await priced(["order.json"]), { code: 0, stdout: `${await bytes(ORDER)}\n`, stderr: "" });
  });

  test("standard input, named or not", async () => {
    const expected = { code: 0, stdout: `${await bytes(SMALL)}\n`, stderr: "" };
    assert.deepEqual(await priced(["-"], { input: JSON.stringify(SMALL) }), expected);
    assert.deepEqual(await priced([], { input: JSON.stringify(SMALL, null, 2) }), expected);
  });

  test("a terminal as standard input is not waited for", async () => {
    const { code, stderr } = await priced([], { tty: ["stdin"] });
    assert.equal(code, 2);
    assert.equal(stderr, "order-cost: no orders: name a file, or pipe them to standard input (order-cost price --help says more)\n");
  });

  test("many orders, one per line: blank lines, carriage returns and a missing last new line are accepted", async () => {
    const input = `\ufeff\n${JSON.stringify(SMALL)}\r\n  \n${JSON.stringify(ORDER)}`;
    assert.deepEqual(await priced([], { input }), {
      code: 0,
      stdout: `${await bytes(SMALL)}\n${await bytes(ORDER)}\n`,
      stderr: "",
    });
  });

  test("the items of a JSON array, and stderr says that it is one", async () => {
    const stderr = "stdin: a JSON array of 2 orders, priced one by one\n";
    const expected = { code: 0, stdout: `${await bytes(SMALL)}\n${await bytes(ORDER)}\n`, stderr };
    assert.deepEqual(await priced([], { input: JSON.stringify([SMALL, ORDER]) }), expected);
    assert.deepEqual(await priced([], { input: JSON.stringify([SMALL, ORDER], null, 2) }), expected);
    const many = await priced([], { input: JSON.stringify(Array(200).fill(SMALL)) });
    assert.equal(many.stdout, `${await bytes(SMALL)}\n`.repeat(200));
  });

  test("values that pass through keep their digits and their white space, except new lines", async () => {
    const input = '{\n"productList":[{"cprcode":1001,"productName":"x","quantity":1}],\n"cartDiscountInfo":[1.0,\n  1e400]}';
    const { stdout } = await priced([], { input });
    assert.match(stdout, /^[^\n]*"cartDiscountInfo":\[1\.0, {3}1e400\][^\n]*\n$/);
  });

  test("numbers in the facts keep every digit, and so do records that are text", async () => {
    file("exact.json", '{"prices":{"1001":{"price":0.1000000000000000000000001},"1003":"{\\"price\\":1e-25}"}}');
    const { stdout } = await run(["price", "-f", "exact.json"], {
      input: lines({ ...ORDER, couponCodeList: [], voucherId: [], shipping: null }),
    });
    assert.match(stdout, /"subTotal":0\.3000000000000000000000004,/);
  });

  test("facts may have the names of Object's own properties", async () => {
    file("proto.json", '{"prices":{"1001":{"price":1}},"vouchers":{"__proto__":{"value":1,"isActive":true,"isUsed":false}}}');
    const order = (id) => lines({ ...SMALL, voucherId: [id] });
    assert.match(
      (await run(["price", "-f", "proto.json"], { input: order("__proto__") })).stdout,
      /"invalidVouchers":\[\{"voucherId":"__proto__"/,
    );
    assert.match((await run(["price", "-f", "proto.json"], { input: order("constructor") })).stderr, /Voucher constructor not found/);
  });

  test("delivery zones, in the facts or in a file of their own", async () => {
    const input = lines({ ...SMALL, shipping: deliveredBy("REGULAR") });
    const fee = async (args) => JSON.parse((await run(["price", ...args], { input })).stdout).deliveryFee;
    file("facts-and-zones.json", { ...FACTS, deliveryZones: ZONES });
    assert.equal(await fee(["-f", "facts.json", "--zones", "zones.geojson"]), 30);
    assert.equal(await fee(["-f", "facts-and-zones.json"]), 30);
    assert.equal(await fee(["-f", "facts-and-zones.json", "-z", file("dearer.geojson", squareZones(45))]), 45);
  });

  test("policies and limits", async () => {
    const input = lines(SMALL);
    assert.equal(JSON.parse((await priced(["--row-total", "list"], { input })).stdout).productList[0].rowTotal, 40);
    assert.equal(JSON.parse((await priced(["--row-total", "effective"], { input })).stdout).productList[0].rowTotal, 37.25);
    const free = { ...FACTS, coupons: { discounts: [{ coupon: "FREE", freeshipping: true }] } };
    const total = async (rule) => {
      const args = ["price", "order.json", "-f", file("free.json", free), "--free-shipping", rule];
      return JSON.parse((await run(args)).stdout).discountedDeliveryFee;
    };
    assert.deepEqual([await total("asStated"), await total("waivesDelivery")], [80, 0]);
    assert.equal(
      (await priced(["order.json", "--max-products", "1"])).stderr,
      "order.json: Invalid order: productList: expected at most 1 products\n",
    );
    const long = lines({ ...SMALL, remark: "x".repeat(300_000) }, SMALL);
    const limited = await priced(["--max-body-bytes", "200"], { input: long });
    assert.equal(limited.stderr.split("\n")[0], "stdin:1: Request body is larger than 200 bytes");
    assert.equal(JSON.parse(limited.stdout.split("\n")[1]).grandTotal, 37.25);
  });

  test("unreadable input is 2, and one sentence says what and where", async () => {
    const cases = [
      [["none.json", "-f", "facts.json"], "cannot read none.json: no such file or directory"],
      [["order.json", "-f", "none.json"], "cannot read none.json: no such file or directory"],
      [["order.json", "-f", "facts.json", "-z", "none.json"], "cannot read none.json: no such file or directory"],
      [["order.json", "-f", file("f1.json", '{"prices":{"1":{}}')], "f1.json:1:19: expected JSON: a closing brace is missing"],
      [["order.json", "-f", file("f2.json", "[]")], "f2.json: expected an object"],
      [["order.json", "-f", file("f3.json", { prices: [] })], "f3.json: prices: expected an object"],
      [
        ["order.json", "-f", file("f6.json", { coupons: [{ answer: {} }, { discounts: [] }] })],
        'f6.json: coupons: [1]: expected {"request", "answer"}',
      ],
      [
        ["order.json", "-f", file("f4.json", { price: {} })],
        "f4.json: price: unknown; facts are prices, vouchers, rates, coupons, deliveryZones",
      ],
      ...["01001", "1001:1000", " 1001", "1001.0", "1e3/1000", "/1000", ""].map((key, index) => [
        ["order.json", "-f", file(`f7-${index}.json`, { prices: { [key]: { price: 5 } } })],
        `f7-${index}.json: prices: ${JSON.stringify(key)}: expected a product such as 1001, or one of a branch such as 1001/1000`,
      ]),
      ...["dry", "10110", "10110/WET", "10110:DRY"].map((key, index) => [
        ["order.json", "-f", file(`f8-${index}.json`, { rates: { [key]: { deliveryFee: 5 } } })],
        `f8-${index}.json: rates: ${JSON.stringify(key)}: expected one of DRY, FRESH, MIX, or one of a postcode such as 10110/DRY`,
      ]),
      [["order.json", "-f", "facts.json", "-z", ""], "cannot read : no such file or directory"],
      [["order.json", "-f", "facts.json", "-z", "order.json"], "order.json: Invalid deliveryZones: type: expected FeatureCollection"],
      [["order.json", "-f", file("f5.json", { deliveryZones: {} })], "f5.json: Invalid deliveryZones: type: expected FeatureCollection"],
      [[file("empty.json", " \n\n"), "-f", "facts.json"], "empty.json: no orders in it"],
      [["order.json", "-f", "facts.json", "-o", "none/out.json"], "cannot write none/out.json: no such file or directory"],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(["price", ...args]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" }, args.join(" "));
      if (typeof message === "string") assert.equal(stderr, `order-cost: ${message}\n`);
      else assert.match(stderr, message);
    }
    mkdirSync(path("folder"));
    assert.equal((await priced(["folder"])).code, 2);
  });
});

describe("price: orders that fail", () => {
  test("one order: exit code 1, its sentence, and the error as in HTTP", async () => {
    assert.deepEqual(await priced([], { input: JSON.stringify(UNKNOWN, null, 2) }), {
      code: 1,
      stdout: '{"error":"No price for 9/1000"}\n',
      stderr: "stdin: No price for 9/1000\n",
    });
  });

  test("in a batch each keeps its line, and stderr names the line", async () => {
    const input = `${lines(SMALL)}{"productList":\n\n${lines(UNKNOWN, SMALL)}`;
    const good = await bytes(SMALL);
    assert.deepEqual(await priced([file("batch.ndjson", input)]), {
      code: 1,
      stdout: `${good}\n{"error":"Failed to parse request body"}\n{"error":"No price for 9/1000"}\n${good}\n`,
      stderr: `\
batch.ndjson:2:16: expected an order as JSON: a value is missing
batch.ndjson:4: No price for 9/1000
order-cost: 2 of 4 orders failed
`,
    });
  });

  test("a broken first line is one order, and so is a broken document", async () => {
    const broken = await priced([], { input: `{"productList":[\n${lines(SMALL, SMALL)}` });
    assert.equal(broken.stdout.split("\n")[0], '{"error":"Failed to parse request body"}');
    assert.equal(broken.stdout.trim().split("\n").length, 3);
    const document = await priced([], { input: JSON.stringify(ORDER, null, 2).slice(0, -1) });
    assert.equal(document.stdout, '{"error":"Failed to parse request body"}\n');
    assert.match(document.stderr, /^stdin:\d+:\d+: expected an order as JSON: a closing brace is missing\n$/);
  });

  test("what is no JSON is named by its line and column, in a file of lines and in a document", async () => {
    const cases = [
      ['{"a": 1,\n  "x": tru}', "stdin:2:8: expected an order as JSON: this is no value\n"],
      [`${lines(SMALL)}{"a" 1}\n`, "stdin:2:6: expected an order as JSON: a colon is missing\n"],
      ['{"a":1,}', "stdin:1:8: expected an order as JSON: a key in quotes is missing\n"],
      ['{"a":1} 2', "stdin:1:9: expected an order as JSON: the text goes on after its end\n"],
      ['{"a":"\u0e01\n"}', "stdin:1:6: expected an order as JSON: a string does not end\n"],
      ['{"a":"\\x"}', "stdin:1:6: expected an order as JSON: an escape is not valid\n"],
      ["/* x */{}", "stdin:1:1: expected an order as JSON: JSON has no comments\n"],
      [
        Buffer.from('{"\u0e01":"\xe9"}'.replace("\u0e01", "k"), "latin1"),
        "stdin:1:7: expected an order as JSON: a character is not UTF-8\n",
      ],
      [`${"[".repeat(130)}${"]".repeat(130)}`.replace("[", '{"a":').replace(/\]$/, "}"), "stdin: nested more than 128 levels\n"],
    ];
    for (const [input, sentence] of cases) {
      const { code, stdout, stderr } = await priced([], { input });
      assert.equal(code, 1, sentence);
      assert.match(stdout, /\{"error":"Failed to parse request body"\}\n$/);
      assert.equal(stderr.split("\n")[0], sentence.trimEnd());
    }
  });

  test("a wrong fact is named by its file and its key", async () => {
    const wrong = {
      prices: { 1001: { price: "37" }, "1002/1000": { price: 1, weight: -1 }, 1003: "{", 1: { price: 1 } },
      vouchers: { V: { value: -1, isActive: true, isUsed: false } },
      rates: { DRY: {}, "20000/MIX": { deliveryFee: -1 } },
      coupons: { discounts: [{ coupon: 1 }] },
    };
    const facts = file("wrong-facts.json", wrong);
    const product = (cprcode) => ({ productList: [{ cprcode, productName: "x", quantity: 1 }] });
    const delivery = (nationwideMode, shippingPostcode) => ({
      shipping: { shippingType: "DELIVERY", shippingPostcode, scheduleList: [{ nationwideMode }] },
    });
    const cases = [
      [product(1001), 'prices["1001"]: price: expected an amount as a JSON number, such as 12.5'],
      [product(1002), 'prices["1002/1000"]: weight: expected an amount of 0 or more'],
      [product(1003), 'prices["1003"]: expected JSON'],
      [{ ...product(1), voucherId: ["V"] }, 'vouchers["V"]: value: expected an amount of 0 or more'],
      [{ ...product(1), couponCodeList: ["A"] }, "coupons: discounts[0].coupon: expected a string"],
      [{ ...product(1), ...delivery() }, 'rates["DRY"]: deliveryFee: required'],
      [{ ...product(1), ...delivery("MIX", "20000") }, 'rates["20000/MIX"]: deliveryFee: expected an amount of 0 or more'],
    ];
    for (const [order, sentence] of cases) {
      const { code, stderr } = await run(["price", "-f", facts], { input: JSON.stringify(order) });
      assert.deepEqual({ code, stderr }, { code: 1, stderr: `stdin:1: wrong-facts.json: ${sentence}\n`.replace("stdin:1", "stdin") });
    }
  });

  test("rates by postcode, and coupon answers by request, from the facts", async () => {
    const facts = {
      prices: { 1: { price: 1 } },
      rates: { "20000/DRY": '{"deliveryFee":7}', DRY: { deliveryFee: 9 } },
      coupons: [{ request: { couponCodeList: [] }, answer: {} }, { answer: { discounts: [{ coupon: "A", discount: 0.5 }] } }],
    };
    const order = { productList: [{ cprcode: 1, productName: "x", quantity: 1 }], couponCodeList: ["A"] };
    const shipping = (shippingPostcode) => ({ shipping: { shippingType: "DELIVERY", shippingPostcode, scheduleList: [{}] } });
    const { stdout } = await run(["price", "-f", file("rates.json", facts)], {
      input: lines({ ...order, ...shipping("20000") }, { ...order, ...shipping("1") }),
    });
    assert.deepEqual(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).grandTotal),
      [7.5, 9.5],
    );
  });

  test("items of an array are named by their number", async () => {
    const { stderr } = await priced([], { input: JSON.stringify([SMALL, 5, UNKNOWN]) });
    assert.equal(
      stderr,
      `\
stdin: a JSON array of 3 orders, priced one by one
stdin, item 2: Invalid order: expected an object
stdin, item 3: No price for 9/1000
order-cost: 2 of 3 orders failed
`,
    );
  });

  test("a thousand failures do not flood the terminal", async () => {
    const { code, stdout, stderr } = await priced([], { input: lines(UNKNOWN).repeat(1000) });
    assert.equal(code, 1);
    assert.equal(stdout, '{"error":"No price for 9/1000"}\n'.repeat(1000));
    assert.equal(stderr.split("\n").length, 22);
    assert.match(stderr, /\norder-cost: 1000 of 1000 orders failed, of which 20 are shown\n$/);
  });

  test("a body that is not UTF-8 is refused as everywhere", async () => {
    assert.equal((await priced([], { input: Buffer.from([0x7b, 0xff, 0x7d]) })).stdout, '{"error":"Failed to parse request body"}\n');
  });
});

describe("price: what it writes", () => {
  test("--out writes a file, and stdout stays empty", async () => {
    assert.deepEqual(await priced(["order.json", "--out", "out.ndjson"]), { code: 0, stdout: "", stderr: "" });
    assert.equal(readFileSync(path("out.ndjson"), "utf8"), `${await bytes(ORDER)}\n`);
  });

  test("--out over an input file is refused, and nothing is lost", async () => {
    for (const name of ["order.json", "facts.json"]) {
      const before = readFileSync(path(name), "utf8");
      assert.deepEqual(await priced(["order.json", "-o", `./${name}`]), {
        code: 2,
        stdout: "",
        stderr: `order-cost: ./${name} is read and cannot be written\n`,
      });
      assert.equal(readFileSync(path(name), "utf8"), before);
    }
  });

  test("--format table is a bill, aligned by the width of Thai text in a terminal", async () => {
    assert.deepEqual(await priced(["order.json", "--format", "table"]), {
      code: 0,
      stderr: "",
      stdout: `\
order A-17 · branch 1000 · owner malee

product                   quantity    price   amount
น้ำปลา                            3    37.25   111.75
ข้าวหอมมะลิ 5 กก.                  1   231.00   231.00

Subtotal                                      342.75
Delivery nationwide (1)                        80.00
Coupon SAVE10                                 -10.00
Voucher V1                                    -50.00
Grand total                                   362.75

Coupon NOPE is not valid.
Voucher V2 is refused: used.
Weight 1 kg.
`,
    });
  });

  test("a bill adds up with folded discounts, too, and says of the others that they are only stated (D48)", async () => {
    const facts = {
      prices: { 1001: { price: 100 } },
      coupons: { discounts: [{ coupon: "A", discount: 5, two4Discount: 3, percentageDiscount: 0.1 }] },
    };
    const order = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 1 }], couponCodeList: ["A"] };
    file("folded-facts.json", facts);
    const billBy = async (foldedDiscounts) =>
      (
        await run([
          "price",
          file("folded-order.json", order),
          "-f",
          "folded-facts.json",
          "--format",
          "table",
          "--folded-discounts",
          foldedDiscounts,
        ])
      ).stdout;
    const FOLDED = /^Discounts folded into the coupons' +(\S+)$/m;
    for (const [word, folded, total, stated] of [
      ["none", undefined, "95.00", ["Two-for", "Percentage"]],
      ["two4", "-3.00", "92.00", ["Percentage"]],
      ["percentage", "-10.00", "85.00", ["Two-for"]],
      ["both", "-13.00", "82.00", []],
    ]) {
      const bill = await billBy(word);
      assert.equal(FOLDED.exec(bill)?.[1], folded, bill);
      assert.equal(/^Grand total +(\S+)$/m.exec(bill)[1], total);
      assert.deepEqual(
        [...bill.matchAll(/^(\S+) discount .*: stated, not subtracted\.$/gm)].map(([, name]) => name),
        stated,
      );
    }
  });

  test("bills of a batch appear under their lines, without control characters", async () => {
    const order = { productList: [{ cprcode: 1001, productName: "\u001b[31mred\nline", quantity: 1 }] };
    const { code, stdout, stderr } = await priced(["--format", "table"], { input: lines(order, UNKNOWN, SMALL) });
    assert.equal(code, 1);
    assert.equal(stderr, "stdin:2: No price for 9/1000\norder-cost: 1 of 3 orders failed\n");
    assert.match(stdout, /^stdin:1\n\nbranch 1000\n\nproduct +quantity.*\n\\u001b\[31mred\\u000aline +1 +37\.25 +37\.25\n/);
    assert.match(stdout, /\n\nstdin:3\n\nbranch 1000\n\n.*\nน้ำปลา/);
    assert.doesNotMatch(stdout, /\p{Cc}(?<!\n)/u);
  });

  test("an order that is nested too deep fails alone", async () => {
    const deep = `{"productList":${"[".repeat(20_000)}`;
    const input = [lines(SMALL).trim(), deep, `${deep}${"]".repeat(20_000)}}`, lines(SMALL).trim(), ""].join("\n");
    const { code, stdout, stderr } = await priced([], { input });
    const sentence = (line) => `stdin:${line}:1015: expected an order as JSON: nested more than 1000 levels\n`;
    assert.deepEqual([code, stderr], [1, `${sentence(2)}${sentence(3)}order-cost: 2 of 4 orders failed\n`]);
    assert.deepEqual(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.startsWith('{"error"')),
      [false, true, true, false],
    );
  });

  test("nothing of the data controls the terminal: neither in a table nor in a sentence", async () => {
    const text = "\u001b]0;x\u0007\u001b[2J\u009b1m\u202e\u2066\u2028\u2029\n";
    const shown = "\\u001b]0;x\\u0007\\u001b[2J\\u009b1m\\u202e\\u2066\\u2028\\u2029\\u000a";
    const order = { ownerId: text, productList: [{ cprcode: 1001, productName: text, quantity: 1 }] };
    const { stdout, stderr } = await priced(["--format", "table"], { input: lines(order, { ...order, voucherId: [text] }) });
    assert.equal(stdout.split(shown).length, 3, "the owner and the product");
    assert.equal(stderr, `stdin:2: Voucher ${shown} not found\norder-cost: 1 of 2 orders failed\n`);
    const facts = file("facts-escape.json", { prices: {}, [text]: 1 });
    assert.match((await run(["price", "order.json", "--facts", facts])).stderr, /^order-cost: facts-escape\.json: \\u001b\]0;x/);
    const differing = JSON.parse(JSON.stringify(order));
    const report = (
      await run(["verify", file("escape-left.json", { ...differing, a: text }), file("escape-right.json", { ...differing, a: "b" })])
    ).stdout;
    assert.ok(report.includes("\\u202e"));
    for (const said of [stdout, stderr, report]) assert.doesNotMatch(said, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}](?<!\n)/u);
  });

  test("--explain is the ledger as a table; its running total ends in the grand total", async () => {
    const { code, stdout, stderr } = await priced(["order.json", "--explain"]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.match(stdout, /^rule +where +operands +amount +running total\n/);
    assert.match(stdout, /\nrow +productList\[0\] +price=37\.25 quantity=3 +111\.75 +111\.75\n/);
    assert.match(stdout, /\nvoucherDiscount +voucherDiscount +validVouchers\[0\]\.value=50 +-50\.00 +362\.75\n/);
  });

  test("--explain --format json is the order with its steps, one per line", async () => {
    const { code, stdout } = await priced(["--explain", "--format", "json"], { input: lines(ORDER, UNKNOWN) });
    const [first, second] = stdout.split("\n");
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(first), await pricer.explain(ORDER));
    assert.equal(second, '{"error":"No price for 9/1000"}');
  });

  test("--explain is as exact as the plain command, and accepts the same orders", async () => {
    const facts = file("exact.json", '{"prices":{"1":{"price":12345678901234567.64,"weight":0.1000000000000000055}}}');
    const sent = file(
      "exact-order.json",
      '{"cartDiscountInfo":[1e400],"orderDate":1767225600000000000001,"productList":[{"cprcode":1,"productName":"\\ud83d","quantity":1}]}',
    );
    const price = (...args) => run(["price", sent, "--facts", facts, ...args]);
    const [plain, explained, table] = [await price(), await price("--explain", "--format", "json"), await price("--explain")];
    assert.deepEqual([plain.code, explained.code, table.code], [0, 0, 0]);
    assert.match(plain.stdout, /"grandTotal":12345678901234567\.64,/);
    assert.ok(explained.stdout.startsWith(`{"order":${plain.stdout.trimEnd()},"steps":[{"rule":"row",`));
    assert.match(
      explained.stdout,
      /"operands":\{"price":12345678901234567\.64,"quantity":1\},"amount":12345678901234567\.64,"runningTotal":12345678901234567\.64\}/,
    );
  });

  test("--explain: over the corpus, the order is the same byte for byte as without it", async (context) => {
    const all = readCorpus().filter(
      ({ testCase: { expect, host = {} } }) => (expect.response ?? expect.responseText) && !host.fails && !host.missing,
    );
    const cases = someOf(all);
    for (const { file: name, testCase } of cases) {
      const { deliveryZones = testCase.zones, ...facts } = { prices: {}, ...testCase.host };
      const { policy, limits, input } = testCase.options ?? {};
      const factsFile = file(`facts-${name}`, { ...facts, ...(deliveryZones && { deliveryZones }) });
      const args = [
        "price",
        file(`order-${name}`, bodyBytes(testCase)),
        "--facts",
        factsFile,
        ...flags({ ...policy, ...limits, ...(input && { input }) }),
      ];
      const expected = testCase.expect.responseText ?? JSON.stringify(testCase.expect.response);
      const order = expected.replaceAll("\n", " ");
      assert.deepEqual(await run(args), { code: 0, stdout: `${order}\n`, stderr: "" }, name);
      const explained = await run([...args, "--explain", "--format", "json"]);
      assert.deepEqual([explained.code, explained.stderr], [0, ""], name);
      assert.ok(explained.stdout.startsWith(`{"order":${order},"steps":[`), name);
      assert.ok(Array.isArray(JSON.parse(explained.stdout).steps), name);
    }
    context.diagnostic(`${cases.length} cases of the corpus, each priced and explained by the command`);
    assert.ok(all.length > 100);
  });

  test("colours on a terminal only, and never under NO_COLOR or --no-color", async () => {
    const tty = ["stdout"];
    const args = ["order.json", "--format", "table"];
    const plain = (await priced(args)).stdout;
    const coloured = (await priced(args, { tty })).stdout;
    assert.match(coloured, /\x1b\[1mGrand total\x1b\[22m/);
    assert.equal(coloured.replace(/\x1b\[\d+m/g, "").replace(/ +$/gm, ""), plain);
    assert.equal((await priced(args, { tty, env: { NO_COLOR: "1" } })).stdout, plain);
    assert.equal((await priced([...args, "--no-color"], { tty })).stdout, plain);
    assert.equal((await run(["--no-color", "price", "--facts", "facts.json", ...args], { tty })).stdout, plain);
    assert.equal((await priced(args, { env: { FORCE_COLOR: "1" } })).stdout, plain);
    assert.equal((await priced([...args, "-o", "bill.txt"], { tty })).stdout, "");
    assert.equal(readFileSync(path("bill.txt"), "utf8"), plain);
  });
});

describe("price: batches", () => {
  const BATCH = lines(SMALL).repeat(2_000); // several chunks
  const tty = ["stderr"];

  test("a progress bar on a terminal, by bytes, with failures above it", async () => {
    const input = `${BATCH}${lines(UNKNOWN)}`;
    const { code, stdout, stderr } = await priced([file("bar.ndjson", input)], { tty });
    assert.equal(code, 1);
    assert.equal(stdout.split("\n").length, 2_002);
    assert.match(stderr, /█+ 100% · 2,001 orders · /);
    assert.match(stderr, /\r\x1b\[Kbar\.ndjson:2001: No price for 9\/1000\n/);
    assert.match(stderr, /\norder-cost: 1 of 2001 orders failed\n$/);
  });

  test("a pipe has no known size: the bar counts the bytes read", async () => {
    const { stderr } = await priced([], { input: BATCH, tty });
    assert.match(stderr, /0\.\d MB read · 2,000 orders · /);
  });

  test("no bar without a terminal, or on a terminal that shows the orders", async () => {
    assert.equal((await priced([], { input: BATCH })).stderr, "");
    const both = ["stdout", "stderr"];
    assert.equal((await priced([], { input: BATCH, tty: both })).stderr, "");
    assert.match((await priced(["-o", "out.ndjson"], { input: BATCH, tty: both })).stderr, /2,000 orders/);
  });

  test("many orders are streamed: memory does not grow, and each order has its line", async () => {
    const [count, basketName] = allAtNight([2_000, "ตะกร้า".repeat(1_000)], [100_000, "ตะกร้า".repeat(20)]);
    const order = (id) => lines({ ...SMALL, orderId: `${id}`, basketName });
    const stream = async (count) => {
      const child = start(["price", "-f", "facts.json"], MEASURED);
      let stderr = "";
      child.stderr.on("data", (data) => (stderr += data));
      const fed = feed(child.stdin, count, order);
      let [id, rest] = [0, ""];
      for await (const data of child.stdout.setEncoding("utf8")) {
        const whole = (rest + data).split("\n");
        rest = whole.pop();
        for (const line of whole) assert.ok(line.includes(`"orderId":"${id++}"`) && line.includes('"grandTotal":37.25'));
      }
      await fed;
      assert.equal(id, count, stderr);
      return Number(stderr) * 1024;
    };
    const [small, large] = [await stream(count / 10), await stream(count)];
    assert.ok(large - small < 45e6, `${small} bytes at ${count / 10} orders, ${large} at ${count}`);
  });

  async function feed(stdin, count, order) {
    for (let id = 0; id < count; id += 100) {
      const text = Array.from({ length: Math.min(100, count - id) }, (_, index) => order(id + index)).join("");
      if (!stdin.write(text)) await new Promise((resolve) => stdin.once("drain", resolve));
    }
    stdin.end();
  }

  test("if the reader stops reading, the command ends quietly, as any that a closed pipe ends", async () => {
    const child = start(["price", file("many.ndjson", BATCH), "-f", "facts.json"]);
    let stderr = "";
    child.stderr.on("data", (data) => (stderr += data));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdout.destroy();
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.deepEqual({ code, stderr }, { code: 141, stderr: "" });
  });
});

test("a batch of generated orders, good and bad: every line is the naive model's, under every policy", async (context) => {
  const tried = Array.from({ length: allAtNight(60, cases(120)) }, (_, index) => generate(SEED + index));
  const host = merged(tried);
  const bodies = tried.map((one) => Buffer.from(bodyBytes(one))).filter((body) => !body.includes(10) && `${body}`.trim() !== "");
  file("model-facts.json", { ...host, deliveryZones: TEST_ZONES });
  writeFileSync(path("model.ndjson"), Buffer.concat(bodies.flatMap((body) => [body, Buffer.from("\n")])));
  for (const policy of EACH_POLICY) {
    const args = flags(policy);
    const actual = (await run(["price", "model.ndjson", "-f", "model-facts.json", ...args])).stdout.trimEnd().split("\n");
    const expected = bodies.map((body) => {
      const { text, error } = price({
        bodyBase64: body.toString("base64"),
        host,
        zones: TEST_ZONES,
        options: { policy },
      });
      return text ?? JSON.stringify({ error });
    });
    assert.equal(actual.length, expected.length);
    expected.forEach((line, index) => assert.equal(actual[index], line, `${bodies[index]}`));
    const failed = expected.filter((line) => line.startsWith('{"error"')).length;
    context.diagnostic(`${expected.length} orders, ${failed} of them failing, ${JSON.stringify(policy)}`);
    assert.ok(failed > expected.length / 10 && failed < expected.length / 2);
  }
});

const COUPONS = {
  discounts: [
    { coupon: "CART", discount: 20.05, bogoDiscount: 1.0055, two4Discount: 3, percentageDiscount: 0.1 },
    { coupon: "SHIP", shippingDiscount: 5.25, freeshipping: true },
  ],
  failedCoupons: ["OLD"],
};

/** The facts of all cases together; coupons answer as one service. */
function merged(cases) {
  const facts = { prices: Object.create(null), vouchers: Object.create(null), rates: {}, coupons: COUPONS };
  for (const { host, tags } of cases) {
    if (!tags.includes("made: priced")) continue;
    for (const name of ["prices", "vouchers", "rates"]) {
      for (const [key, record] of Object.entries(host[name])) facts[name][key] = record;
    }
  }
  return facts;
}
