import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { createFetchHandler } from "order-cost/worker";
import { DEFAULT_POLICY } from "../../pkg/core/policies.js";
import { checkVariables, defaults, readOptions, shownOptions, warnings } from "../../worker/src/options/options.js";
import { main } from "../../worker/src/receipts/make-key-program.js";
import { run } from "../data/run.js";
import { temporaryFolder } from "../folder.js";

/** The examples of RFC 8037. */
const KEY = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
};
const STRICT = { calculatecost2: "strict", calculatecost3: "strict", calculatecost4: "strict" };
const OLD_KEY = { kty: "OKP", crv: "Ed25519", x: "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08" };

test("nothing set: the defaults, no access rules", () => {
  for (const env of [{}, { BASE_PATH: "", DEADLINE_MS: " ", ALLOWED_ORIGINS: "", API_KEYS: undefined }]) {
    assert.deepEqual(readOptions(env), {
      basePath: "/",
      routes: { basePath: "/", maxBodyBytes: 1_048_576, deadlineMs: 10_000, input: STRICT },
      pricer: {
        policy: DEFAULT_POLICY,
        deadlineMs: 5000,
        limits: { maxBodyBytes: 1_048_576, maxProducts: 5000, maxVouchers: 100, maxCoupons: 100, maxSchedules: 100 },
      },
      services: { vouchersUrl: undefined, nationwideUrl: undefined, couponsUrl: undefined, logText: false, ratesKeepMs: 60_000 },
      data: { refreshMs: 30_000, maxAgeMs: 300_000, cacheBytes: 33_554_432, deadlineMs: 5000 },
      receipts: { key: undefined, oldKeys: [], seconds: 900 },
      access: { allowedOrigins: [], apiKeys: [], deadlineMs: 10_000, ipv6Prefix: 64 },
      logSample: 0.01,
      decisions: { sample: 0, perDay: 10_000, redactKey: undefined },
    });
  }
});

test("everything set, as texts or as JSON numbers", () => {
  const options = readOptions({
    BASE_PATH: "/shop/api",
    ROW_TOTAL: "list",
    FREE_SHIPPING: "waivesDelivery",
    EXPRESS_SURCHARGE: "firstExpress",
    SUB_TOTAL: "rowTotals",
    DISCOUNTED_ROW_TOTAL: "fromRowTotal",
    SETTLEMENT_PRICE: "record",
    EXCLUDE_CONTROLLED: "rowTotal",
    FOLDED_DISCOUNTS: "both",
    INPUT: "calculatecost2=lenient,calculatecost3=lenient",
    DEADLINE_MS: 0,
    ORDER_DEADLINE_MS: "0",
    MAX_BODY_BYTES: "2000",
    MAX_PRODUCTS: "10",
    MAX_VOUCHERS: "0",
    MAX_COUPONS: 3,
    MAX_SCHEDULES: "4",
    LOG_SERVICE_TEXT: "1",
    DATA_REFRESH_SECONDS: "0",
    DATA_MAX_AGE_SECONDS: "10",
    CACHE_BYTES: "0",
    RATES_CACHE_SECONDS: "0",
    VOUCHERS_URL: "http://127.0.0.1:8081",
    NATIONWIDE_URL: "https://rates.example/v1?key=1",
    COUPONS_URL: "http://127.0.0.1:8080",
    ALLOWED_ORIGINS: "https://shop.example, http://localhost:3000",
    API_KEYS: "s3cret, n3w,s3cret",
    ALLOW_ANONYMOUS: "1",
    RATE_LIMIT_PREFIX: "56",
    RECEIPT_KEY: JSON.stringify({ ...KEY, kid: "now", alg: "EdDSA", use: "sig", key_ops: ["sign"], ext: true }),
    RECEIPT_OLD_KEYS: JSON.stringify({ keys: [{ ...OLD_KEY, alg: "Ed25519" }] }),
    RECEIPT_SECONDS: "60",
    LOG_SAMPLE: "0.5",
    DECISIONS: {}, // the binding
    DECISION_SAMPLE: "0.25",
    DECISIONS_PER_DAY: "100",
    REDACT_KEY: "k".repeat(32),
  });
  assert.deepEqual(options, {
    basePath: "/shop/api",
    routes: { basePath: "/shop/api", maxBodyBytes: 2000, deadlineMs: 0, input: { calculatecost2: "lenient", calculatecost3: "lenient" } },
    pricer: {
      policy: {
        rowTotal: "list",
        freeShipping: "waivesDelivery",
        expressSurcharge: "firstExpress",
        subTotal: "rowTotals",
        discountedRowTotal: "fromRowTotal",
        settlementPrice: "record",
        excludeControlled: "rowTotal",
        foldedDiscounts: "both",
      },
      deadlineMs: 0,
      limits: { maxBodyBytes: 2000, maxProducts: 10, maxVouchers: 0, maxCoupons: 3, maxSchedules: 4 },
    },
    services: {
      vouchersUrl: "http://127.0.0.1:8081",
      nationwideUrl: "https://rates.example/v1?key=1",
      couponsUrl: "http://127.0.0.1:8080",
      logText: true,
      ratesKeepMs: 0,
    },
    data: { refreshMs: 0, maxAgeMs: 10_000, cacheBytes: 0, deadlineMs: 0 },
    receipts: { key: { ...KEY, kid: "now" }, oldKeys: [OLD_KEY], seconds: 60 },
    access: {
      allowedOrigins: ["https://shop.example", "http://localhost:3000"],
      apiKeys: ["s3cret", "n3w"],
      deadlineMs: 0,
      ipv6Prefix: 56,
    },
    logSample: 0.5,
    decisions: { sample: 0.25, perDay: 100, redactKey: "k".repeat(32) },
  });
});

for (const [name, text, expected] of [
  ["BASE_PATH", "/api?x=1", "a path"],
  ["ROW_TOTAL", "Effective", "one of effective, list"],
  ["FREE_SHIPPING", "true", "one of asStated, waivesDelivery"],
  ["DEADLINE_MS", "soon", "an integer of 0 or more"],
  ["DEADLINE_MS", "-1", "an integer of 0 or more"],
  ["DEADLINE_MS", "1e999", "an integer of 0 or more"],
  ["MAX_BODY_BYTES", "0", "an integer of 1 or more"],
  ["MAX_PRODUCTS", "1.5", "an integer of 1 or more"],
  ["MAX_VOUCHERS", "-1", "an integer of 0 or more"],
  ["DEADLINE_MS", "3000000000", "an integer of at most 2147483647"],
  ["ORDER_DEADLINE_MS", "2147483648", "an integer of at most 2147483647"],
  ["MAX_BODY_BYTES", "5000000000", "an integer of at most 4294967295"],
  ["RATE_LIMIT_PREFIX", "129", "an integer of at most 128"],
  ["EXPRESS_SURCHARGE", "first", "one of firstSchedule, firstExpress, anyExpress"],
  ["FOLDED_DISCOUNTS", "two4Discount", "one of none, percentage, two4, both"],
  ["LOG_SERVICE_TEXT", "yes", "one of 0, 1"],
  ["ALLOW_ANONYMOUS", "true", "one of 0, 1"],
  ["LOG_SAMPLE", "1%", "a number from 0 to 1"],
  ["LOG_SAMPLE", "-0.1", "a number from 0 to 1"],
  ["LOG_SAMPLE", "1.1", "a number from 0 to 1"],
  ["DECISION_SAMPLE", "5%", "a number from 0 to 1"],
  ["DECISIONS_PER_DAY", "10001", "an integer of at most 10000"],
  ["DATA_REFRESH_SECONDS", "5 min", "an integer of 0 or more"],
  ["DATA_MAX_AGE_SECONDS", "-1", "an integer of 0 or more"],
  ["CACHE_BYTES", "32M", "an integer of 0 or more"],
  ["RATES_CACHE_SECONDS", "1.5", "an integer of 0 or more"],
  ["RECEIPT_SECONDS", "0", "an integer of 1 or more"],
  ["BASE_PATH", "http://shop.example/api", "a path"],
  ["BASE_PATH", "/api/*", "a path"],
  ["ALLOWED_ORIGINS", "https://shop.example/", "origins like https://shop.example, or *"],
]) {
  test(`${name}=${text} is refused`, () => {
    assert.throws(() => readOptions({ [name]: text }), {
      message: `Variable ${name}: expected ${expected}, got ${JSON.stringify(text)}`,
    });
  });
}

for (const [text, expected, got] of [
  ["Lenient", "entries like calculatecost4=lenient, of the routes calculatecost2, calculatecost3, calculatecost4", "Lenient"],
  [
    "calculatecost5=lenient",
    "entries like calculatecost4=lenient, of the routes calculatecost2, calculatecost3, calculatecost4",
    "calculatecost5",
  ],
  ["calculatecost2=loose", "strict or lenient for calculatecost2", "loose"],
  [
    "calculatecost2=lenient,calculatecost2=strict",
    "each route once, like calculatecost3=strict,calculatecost4=lenient",
    "calculatecost2=lenient,calculatecost2=strict",
  ],
]) {
  test(`INPUT=${text} is refused`, () => {
    assert.throws(() => readOptions({ INPUT: text }), { message: `Variable INPUT: expected ${expected}, got ${JSON.stringify(got)}` });
  });
}

test("INPUT=lenient is for all routes (D49)", () => {
  assert.deepEqual(readOptions({ INPUT: "lenient" }).routes.input, {
    calculatecost2: "lenient",
    calculatecost3: "lenient",
    calculatecost4: "lenient",
  });
});

for (const text of ["rates.example", "https://user:pw@rates.example", "ftp://rates.example/?key=s3cret"]) {
  test(`NATIONWIDE_URL=${text} is refused, and not shown`, () => {
    const message = "Variable NATIONWIDE_URL: expected an http or https URL without a user or password";
    assert.throws(() => readOptions({ NATIONWIDE_URL: text }), { message });
  });
}

test("an API key that is blank or that no request can carry stops the Worker, and is not shown", () => {
  for (const key of [" ", "\n", "\t ", "two words", "k\u0000", "กุญแจ", "a,,b", "a,", ","]) {
    const message = "Variable API_KEYS: expected keys of visible ASCII characters without spaces, separated by commas";
    assert.throws(() => readOptions({ API_KEYS: key }), { message });
  }
  assert.deepEqual(readOptions({ API_KEYS: "s3cret\n" }).access.apiKeys, ["s3cret"]);
});

test("a RECEIPT_KEY that is not a key stops the service, and no text of it is shown", () => {
  const { d, ...publicKey } = KEY;
  const expected =
    'Variable RECEIPT_KEY: expected an Ed25519 private key as a JWK, {"kty":"OKP","crv":"Ed25519","d":"…","x":"…"}: "npm run receipt-key" makes one';
  for (const key of [
    "s3cret",
    "null",
    "[]",
    publicKey,
    { ...publicKey, d: null },
    { ...KEY, kty: "EC" },
    { ...KEY, crv: "Ed448" },
    { ...KEY, crv: "X25519" },
    { ...KEY, d: `${d}A` },
    { ...KEY, d: d.slice(1) },
    { ...KEY, d: `${d}=` },
    { ...KEY, d: d.replace("_", "/") },
    { ...KEY, d: d.replace(/.$/, "B") }, // bits beyond the last byte
    { ...KEY, x: undefined },
    { ...KEY, x: "" },
    { ...KEY, kid: "" },
    { ...KEY, kid: 1 },
    { ...KEY, kid: "two words" },
    { ...KEY, kid: "กุญแจ" },
    { ...KEY, kid: "k".repeat(129) },
    { ...KEY, alg: "HS256" },
    { ...KEY, use: "enc" },
    { keys: [KEY] },
  ]) {
    const text = typeof key === "string" ? key : JSON.stringify(key);
    assert.throws(() => readOptions({ RECEIPT_KEY: text }), { message: expected }, text);
  }
});

/** That the process runs: tests/node/receipts.test.js, by the commands of a page. */
const makeKey = (...args) => run(main, args);

async function made(...args) {
  const { code, out, err } = await makeKey(...args);
  assert.deepEqual([code, err], [0, ""]);
  return out;
}

test("npm run receipt-key makes a key that the service takes, another one each time", async () => {
  const [one, other] = [await made(), await made()].map((text) => readOptions({ RECEIPT_KEY: text }).receipts.key);
  assert.deepEqual(Object.keys(one), ["kty", "crv", "x", "d"]);
  assert.notEqual(one.d, other.d);
});

test("npm run receipt-key -- --public prints the public halves, each once, as RECEIPT_OLD_KEYS takes them", async (t) => {
  const folder = temporaryFolder(t);
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { d, ...publicKey } = KEY;
  const inUse = { ...publicKey, kid: "k1" };
  const listed = file("keys.json", JSON.stringify({ keys: [{ ...inUse, alg: "EdDSA", use: "sig" }] }));
  const secret = await made();
  const { x } = JSON.parse(secret);
  const added = { kty: "OKP", crv: "Ed25519", x };

  const own = file("new.json", secret);
  assert.deepEqual(JSON.parse(await made("--public", own)), [added]);
  const text = await made("--public", listed, own, own);
  assert.deepEqual(JSON.parse(text), [inUse, added]);
  assert.deepEqual(readOptions({ RECEIPT_KEY: secret, RECEIPT_OLD_KEYS: text }).receipts.oldKeys, [inUse, added]);

  for (const wrong of ["s3cret", "null", "{}", '{"keys":{}}', JSON.stringify({ ...KEY, x: d.slice(1) })]) {
    const { code, out, err } = await makeKey("--public", file("wrong.json", wrong));
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^receipt-key: .*wrong\.json: expected an Ed25519 key as a JWK, or what GET \/receipt-key answers\n$/);
  }
  for (const args of [["--public"], [own], ["--pubic", own]]) {
    const { code, out } = await makeKey(...args);
    assert.deepEqual([code, out], [2, ""]);
  }
});

test("old keys of receipts are public, and each has an id and a value of its own", () => {
  const { d, ...publicKey } = KEY;
  const expected =
    'Variable RECEIPT_OLD_KEYS: expected a list of Ed25519 public keys as JWKs, [{"kty":"OKP","crv":"Ed25519","x":"…"}], as GET /receipt-key answers them';
  for (const keys of ["s3cret", "null", publicKey, [null], [{ ...publicKey, crv: "Ed448" }], { keys: {} }, [OLD_KEY, 1]]) {
    const text = typeof keys === "string" ? keys : JSON.stringify(keys);
    assert.throws(() => readOptions({ RECEIPT_OLD_KEYS: text }), { message: expected }, text);
  }
  assert.throws(() => readOptions({ RECEIPT_OLD_KEYS: JSON.stringify([OLD_KEY, KEY]) }), {
    message: `${expected}, without the private part "d"`,
  });

  const RECEIPT_KEY = JSON.stringify({ ...KEY, kid: "k1" });
  const differ = "keys that differ, each with a kid of its own";
  for (const [keys, expected] of [
    [[OLD_KEY, OLD_KEY], differ],
    [[OLD_KEY, { ...OLD_KEY, kid: "k2" }], differ],
    [
      [
        { ...OLD_KEY, kid: "k2" },
        { ...publicKey, kid: "k2" },
      ],
      differ,
    ],
    [[{ ...OLD_KEY, kid: "k1" }], "no other key with the kid of RECEIPT_KEY"],
  ]) {
    const message = `Variable RECEIPT_OLD_KEYS: expected ${expected}`;
    assert.throws(() => readOptions({ RECEIPT_KEY, RECEIPT_OLD_KEYS: JSON.stringify(keys) }), { message });
  }
  for (const keys of [[], [{ ...publicKey, kid: "k1" }], [publicKey, OLD_KEY]]) {
    assert.deepEqual(readOptions({ RECEIPT_KEY, RECEIPT_OLD_KEYS: JSON.stringify(keys) }).receipts.oldKeys, keys);
  }
});

test("a name within two letters of one of ours stops the Worker if silence would open a door or change a price, else it is a warning", () => {
  for (const [name, meant, isWarning = false] of [
    ["API_KEY", "API_KEYS"],
    ["API_KYE", "API_KEYS"],
    ["APIKEYS", "API_KEYS"],
    ["DEADLINE", undefined],
    ["DEADLINE_S", "DEADLINE_MS", true],
    ["ALLOWED_ORIGIN", "ALLOWED_ORIGINS", true],
    ["max_products", "MAX_PRODUCTS"],
    ["MAX_VOUCHER", "MAX_VOUCHERS"],
    ["COUPON_URL", "COUPONS_URL"],
    ["ALLOW_ANONYMUS", "ALLOW_ANONYMOUS", true],
    ["ROW_TOTALS", "ROW_TOTAL"],
    ["COUPONS_2", undefined],
    ["CATALOGUE_2", undefined],
    ["LOG_SAMPLES", "LOG_SAMPLE", true],
    ["RECEIPTS_KEY", "RECEIPT_KEY", true],
    ["RECEIPT_OLD_KEY", "RECEIPT_OLD_KEYS", true],
    ["REDACT_KEYS", "REDACT_KEY", true],
    ["SHOP_NAME", undefined],
    ["FOO", undefined],
  ]) {
    const read = () => readOptions({ [name]: "1" });
    const message = `Variable ${name} is unknown: did you mean ${meant}?`;
    if (meant && !isWarning) assert.throws(read, { message });
    else assert.equal(read().basePath, "/");
    assert.deepEqual(warnings({ [name]: "1" }), meant ? [message] : []);
    if (meant) assert.throws(() => checkVariables({ [name]: "1" }), { message }, "in a file of ours");
  }
  readOptions({ CATALOGUE: {}, VOUCHERS: {}, NATIONWIDE: {}, COUPONS: {}, RATE_LIMITER: {}, CF_VERSION_METADATA: {}, ASSETS: {} });
});

test("the options in the log are those in force, without secrets", () => {
  const shown = shownOptions({
    API_KEYS: "s3cret",
    RECEIPT_KEY: JSON.stringify(KEY),
    COUPONS_URL: "https://coupons.example/?token=t0ken",
    DEADLINE_MS: "70",
  });
  assert.deepEqual(Object.keys(shown), Object.keys(defaults()));
  assert.deepEqual([shown.API_KEYS, shown.COUPONS_URL, shown.NATIONWIDE_URL, shown.DEADLINE_MS], [true, true, false, 70]);
  assert.equal(shown.RECEIPT_KEY, true);
  assert.doesNotMatch(JSON.stringify(shown), /s3cret|t0ken|nWGxne/);
});

/** Where these variables are refused: as the Worker starts, or with an order; undefined if they are accepted. */
const refusalOf = async (env) => {
  try {
    const { pricer, routes } = readOptions(env);
    await createPricer({}, pricer);
    createFetchHandler(() => undefined, routes);
    return undefined;
  } catch (error) {
    return error.message.startsWith("Variable ") ? "as the Worker starts" : `with an order: ${error.message}`;
  }
};

test("exactly the values that the package refuses stop the Worker from starting", async () => {
  const numbers = ["-1", "0", "1", "1.5", "NaN", "2147483647", "2147483648", "4294967295", "4294967296", "1e300"];
  const names = ["DEADLINE_MS", "ORDER_DEADLINE_MS", "MAX_BODY_BYTES", "MAX_PRODUCTS", "MAX_VOUCHERS", "MAX_COUPONS", "MAX_SCHEDULES"];
  const started = new Map();
  for (const name of names) {
    for (const number of numbers) {
      const refusal = await refusalOf({ [name]: number });
      assert.ok(refusal === undefined || refusal === "as the Worker starts", `${name}=${number} is refused ${refusal}`);
      if (refusal === undefined) started.set(name, number);
    }
  }
  const [ms, count] = ["2147483647", "4294967295"];
  assert.deepEqual([...started.values()], [ms, ms, count, count, count, count, count]);
  for (const name of ["ROW_TOTAL", "FREE_SHIPPING", "EXPRESS_SURCHARGE"]) {
    assert.equal(await refusalOf({ [name]: "none of them" }), "as the Worker starts");
  }
});
