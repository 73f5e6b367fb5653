// The document of the service says what it takes and gives: held against the golden corpus and its own examples.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createPricer } from "order-cost";
import { createSeedHost } from "../../worker/demo/seed-host.js";
import { withProject } from "../../worker/src/operations/contract.js";
import { readCorpus } from "../golden/corpus.mjs";
import { createChecker, readDocument, readFile } from "./openapi.js";

const DOCUMENT = readDocument();
const check = createChecker(DOCUMENT);

describe("the document", () => {
  test("is valid OpenAPI 3.1, and one without an answer's description is not", async () => {
    assert.deepEqual(await faultsOf(readDocument()), []);
    const broken = readDocument();
    delete broken.components.responses.PricedOrder.description;
    assert.notDeepEqual(await faultsOf(broken), []);
  });

  test("says who makes the service, once Cargo.toml does, and nothing empty before", async () => {
    const project = { author: "Ann Lee <ann@shop.example>", bugs: "https://git.example/shop/issues", homepage: "https://shop.example" };
    const told = withProject(DOCUMENT, project);
    assert.deepEqual(await faultsOf(told), []);
    assert.deepEqual(told.info.contact, { name: "Ann Lee", url: project.bugs, email: "ann@shop.example" });
    assert.equal(told.externalDocs.url, project.homepage);
    assert.deepEqual(withProject(DOCUMENT, { author: "Ann Lee" }).info.contact, { name: "Ann Lee" });
    assert.deepEqual(withProject(DOCUMENT, { author: "<ann@shop.example>" }).info.contact, { email: "ann@shop.example" });
    assert.deepEqual(withProject(DOCUMENT, {}), DOCUMENT);
  });

  test("has the package's version", () => {
    assert.equal(DOCUMENT.info.version, readJson("../../pkg-template/package.json").version);
  });

  test("holds only schemas that JSON Schema knows, and a keyword misspelt is found", () => {
    for (const name of Object.keys(DOCUMENT.components.schemas)) check(name, null);
    const misspelt = readDocument();
    misspelt.components.schemas.Order.properties.voucherId.maxItem = 100;
    assert.throws(() => createChecker(misspelt)("Order", null), /unknown keyword: "maxItem"/);
  });

  test("says what worker/openapi.json says of a field", () => {
    const { schemas } = DOCUMENT.components;
    for (const [name, { properties = {} }] of Object.entries(readFile().components.schemas)) {
      for (const [key, says] of Object.entries(properties))
        assert.deepEqual({ ...schemas[name].properties[key], ...says }, schemas[name].properties[key], `${name}.${key}`);
    }
  });

  test("has no links to decisions or to Rust", () => {
    assert.doesNotMatch(JSON.stringify(DOCUMENT.components.schemas), /\(D\d|\[`|::/);
  });

  test("shows examples that its schemas allow", () => {
    const examples = examplesIn(DOCUMENT);
    assert.ok(examples.length > 20, `${examples.length} examples`);
    for (const { at, schema, value } of examples) assert.equal(check(schema, value), "", at);
  });

  test("shows what the seed's orders are answered with", async () => {
    const { requestBodies, responses } = DOCUMENT.components;
    const [orders, priced, failed] = [requestBodies.Order, responses.PricedOrder, responses.OrderFailed].map(
      ({ content }) => content["application/json"].examples,
    );
    const seed = (name) => readJson(`../../worker/seed/${name}.json`);
    const facts = { prices: seed("prices"), vouchers: seed("vouchers"), rates: seed("rates"), coupons: seed("coupons") };
    const pricer = await createPricer(createSeedHost(facts), { deliveryZones: seed("zones") });
    for (const [name, { value }] of Object.entries(orders)) {
      const answer = await pricer.calculate(value).catch((error) => error.toJSON());
      assert.deepEqual(answer, (priced[name] ?? failed[name]).value, name);
    }
    assert.deepEqual(
      Object.keys(priced).filter((name) => !(name in orders)),
      [],
    );
  });
});

// ------------------------------------------------------------ the golden corpus

const REFUSED = ["INVALID_JSON", "VALIDATION_ERROR", "LIMIT_EXCEEDED"];

const LAST_KEY = "D9: of two equal keys a schema sees the last one";
const UTF16 = "D45: a schema counts characters, not UTF-16 units";

/** What the service refuses and no JSON Schema can. */
const BEYOND_SCHEMAS = {
  "d08-tiny-exponent.json": "D8: as a double the number has no fraction",
  "d09-earlier-duplicate-must-be-valid.json": LAST_KEY,
  "d09-earlier-product-list-empty.json": LAST_KEY,
  "d45-branch-earlier-duplicate-is-checked.json": LAST_KEY,
  "d45-earlier-duplicate-is-checked.json": LAST_KEY,
  "d45-earlier-duplicate-of-schedules-is-checked.json": LAST_KEY,
  "d10-depth-129.json": "D10: a schema cannot count how deep a value is nested",
  "d45-branch-of-64-pairs-and-one.json": UTF16,
  "d45-branch-of-escapes-and-one.json": UTF16,
};

describe("the golden corpus", () => {
  for (const { file, testCase } of readCorpus()) {
    const { expect, options } = testCase;
    if (expect.zonesError !== undefined) continue; // the operator's fault, not an order's
    // D49: what a lenient route takes beyond the schema, it says in words.
    if (options?.input !== "lenient")
      test(`${file}: the request`, () => {
        const order = readBody(testCase);
        // A body beyond the limit is refused before it is read.
        if (order === NOT_JSON) return assert.ok(["INVALID_JSON", "LIMIT_EXCEEDED"].includes(expect.code));
        const fault = checkerFor(options?.limits)("Order", order);
        const isRefused = REFUSED.includes(expect.code);
        assert.equal(fault !== "", isRefused && !(file in BEYOND_SCHEMAS), `${expect.error}\n${fault}`);
      });
    test(`${file}: the answer`, () => {
      if (expect.error !== undefined) return assert.equal(check("Error", { error: expect.error }), "");
      assert.equal(check("PricedOrder", expect.response ?? JSON.parse(expect.responseText)), "");
    });
  }

  test("has a case for each refusal that no schema can express", () => {
    const refused = readCorpus().filter(({ testCase }) => REFUSED.includes(testCase.expect.code));
    const files = refused.map(({ file }) => file);
    assert.deepEqual(
      Object.keys(BEYOND_SCHEMAS).filter((file) => !files.includes(file)),
      [],
    );
  });
});

describe("an answer that differs", () => {
  const { response } = readCorpus().find(({ file }) => file === "d01-full-order.json").testCase.expect;

  test("stands in the documented sequence", () => {
    const { properties } = DOCUMENT.components.schemas.PricedOrder;
    assert.deepEqual(Object.keys(response), Object.keys(properties));
  });

  for (const [what, change] of Object.entries({
    "a missing total": (order) => delete order.grandTotal,
    "a new key": (order) => (order.tax = 7),
    "an amount as text": (order) => (order.subTotal = "245"),
    "a negative amount": (order) => (order.deliveryFee = -1),
    "a row without its branch": (order) => delete order.productList[0].branchId,
    "a new key of a row": (order) => (order.productList[0].sku = "A1"),
    "a schedule of an unknown mode": (order) => (order.shipping.scheduleList[0].mode = "DRONE"),
    "a summary without a total": (order) => delete order.summary.grandTotal,
    "another's voucher that shows its value": (order) =>
      (order.invalidVouchers = [{ voucherId: "V1", value: 10, reasons: ["ownerMismatch"] }]),
  })) {
    test(`is found: ${what}`, () => {
      const order = structuredClone(response);
      change(order);
      assert.notEqual(check("PricedOrder", order), "");
    });
  }

  test("is found: an error with a code in the body", () => {
    assert.notEqual(check("Error", { error: "No price for 1/1000", code: "PRODUCT_PRICE_NOT_FOUND" }), "");
  });
});

const NOT_JSON = Symbol("not JSON");

function readBody({ body, bodyBase64, order }) {
  const bytes = bodyBase64 === undefined ? new TextEncoder().encode(body ?? JSON.stringify(order)) : Buffer.from(bodyBase64, "base64");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return NOT_JSON;
  }
}

/** Checks by the document, or by that of an operator with other limits (D45). */
function checkerFor(limits) {
  if (limits === undefined) return check;
  const document = readDocument();
  const { Order, Shipping } = document.components.schemas;
  const set = ({ properties }, key, limit) => (properties[key].maxItems = limit ?? properties[key].maxItems);
  set(Order, "productList", limits.maxProducts);
  set(Order, "voucherId", limits.maxVouchers);
  set(Order, "couponCodeList", limits.maxCoupons);
  set(Shipping, "scheduleList", limits.maxSchedules);
  return createChecker(document);
}

async function faultsOf(document) {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? [] : [].concat(errors);
}

/** Every example of a document, with the schema that it stands beside. */
function examplesIn(node, at = "#") {
  if (typeof node !== "object" || node === null) return [];
  const here = [];
  if (node.schema && node.examples) here.push(...Object.values(node.examples).map(({ value }) => value));
  if (node.schema && "example" in node) here.push(node.example);
  const found = here.map((value) => ({ at, schema: node.schema, value }));
  if (Array.isArray(node.examples)) found.push(...node.examples.map((value) => ({ at, schema: node, value })));
  return found.concat(...Object.entries(node).map(([key, child]) => examplesIn(child, `${at}/${key}`)));
}

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}
