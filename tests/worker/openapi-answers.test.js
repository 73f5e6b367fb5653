// What the running service answers is what worker/openapi.json says: status, headers and body, of every documented answer.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import manifest from "order-cost/package.json" with { type: "json" };
import { withProject } from "../../worker/src/operations/contract.js";
import { PATIENCE_MS } from "../until.js";
import { entriesOf, makeVersion } from "./catalogue.js";
import { createChecker, readDocument } from "./openapi.js";
import { onEachPlatform } from "./platforms.js";

const DOCUMENT = readDocument();
const check = createChecker(DOCUMENT);
const RECEIPT_KEY = JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));
const ORDER = { productList: [{ cprcode: 1001, productName: "Rice", quantity: 2 }] };

onEachPlatform((platform) => {
  let service;
  /** Which answers have been seen, such as `POST /calculatecost4 200`. */
  const seen = new Set();

  before(async () => {
    const copies = {
      open: { catalogue: "kept" },
      guarded: { catalogue: "kept", vars: { API_KEYS: "s3cret" } },
      signing: { catalogue: "kept", vars: { RECEIPT_KEY } },
      limited: { catalogue: "kept", limit: 1 },
      lossy: { catalogue: "kept", vars: { COUPONS_URL: "http://127.0.0.1:9/" } }, // the port "discard", where nobody listens
      empty: { catalogue: "nothing/Store" },
    };
    service = await platform.start({ copies, fakes: ["nothing"] });
    await service.keep(entriesOf(await makeVersion({ "1001/1000": '{"price":37.25}' })));
  });

  after(() => service?.stop());

  for (const path of Object.keys(DOCUMENT.paths).filter((path) => path.startsWith("/calculatecost"))) {
    const order = (worker, body, init) => ask(worker, path, { method: "POST", body: JSON.stringify(body), ...init });

    test(`POST ${path}`, async () => {
      const { headers } = await order("open", ORDER, { headers: { "x-request-id": "checkout-7f3a" } });
      assert.equal(headers.get("x-request-id"), "checkout-7f3a");
      assert.equal((await order("open", ORDER)).status, 200);
      assert.match((await order("signing", ORDER)).headers.get("x-order-cost-receipt"), /^eyJ/);
      assert.equal((await order("open", { productList: [] })).status, 500);
      assert.equal((await order("open", { ...ORDER, voucherId: ["V1"] })).status, 500);
      assert.equal((await order("guarded", ORDER)).status, 401);
      assert.equal((await ask("open", path, { method: "PUT", body: "{}" }, "post")).status, 405);
      await order("limited", ORDER);
      await order("limited", ORDER);
    });
  }

  for (const path of ["/health", "/version", "/ready", "/receipt-key", "/openapi.json"]) {
    test(`GET ${path}`, async () => {
      assert.equal((await ask("guarded", path)).status, 200); // without a key
      assert.equal((await ask("open", path, { method: "POST", body: "" }, "get")).status, 405);
    });
  }

  test("what is lost, and what is not there", async () => {
    const { body } = await ask("lossy", "/ready");
    assert.deepEqual([body.status, Object.keys(body.degraded)], ["degraded", ["coupons"]]);
    assert.equal((await ask("empty", "/ready")).status, 503);
    const { body: version } = await ask("empty", "/version");
    assert.deepEqual([version.data, version.since], [null, null]);
  });

  test("the keys of a service that signs", async () => {
    assert.equal((await ask("signing", "/receipt-key")).body.keys.length, 1);
  });

  test("the service serves the document", async () => {
    assert.deepEqual((await ask("open", "/openapi.json")).body, withProject(DOCUMENT, manifest));
  });

  test("an unknown path", async () => {
    const { status, body } = await answerOf("open", "/calculatecost9", { method: "POST", body: "{}" });
    assert.equal(status, 404);
    assert.equal(check("Error", body), "");
  });

  test("every documented answer has been seen, except that a path of the document is unknown", () => {
    const documented = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
    assert.deepEqual(
      documented.filter((answer) => !seen.has(answer) && !answer.endsWith(" 404")),
      [],
    );
  });

  /** Sends a request and holds the answer against the operation. A wrong method is documented with the right one. */
  async function ask(worker, path, init = {}, method = (init.method ?? "GET").toLowerCase()) {
    const answer = await answerOf(worker, path, init);
    const place = `${method.toUpperCase()} ${path} ${answer.status}`;
    seen.add(place);
    const documented = resolve(DOCUMENT.paths[path][method].responses[answer.status]);
    assert.ok(documented, `${place} is not documented`);
    assert.equal(check(documented.content["application/json"].schema, answer.body), "", place);
    for (const [name, reference] of Object.entries(documented.headers)) {
      const header = resolve(reference);
      const value = answer.headers.get(name);
      assert.ok(value !== null || !header.required, `${place}: ${name} is missing`);
      const read = header.schema.type === "integer" ? Number(value) : value;
      if (value !== null) assert.equal(check(header.schema, read), "", `${place}: ${name}: ${value}`);
    }
    const own = [...answer.headers.keys()].filter((name) => name.startsWith("x-") || name === "server-timing");
    assert.deepEqual(
      own.filter((name) => !(name in documented.headers)),
      [],
      place,
    );
    return answer;
  }

  async function answerOf(worker, path, init) {
    const response = await fetch((await service.url(worker)) + path, { signal: AbortSignal.timeout(PATIENCE_MS), ...init });
    assert.equal(response.headers.get("content-type"), "application/json");
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** What a reference refers to. */
  function resolve(node) {
    if (!node?.$ref) return node;
    return node.$ref
      .slice(2)
      .split("/")
      .reduce((parent, key) => parent[key], DOCUMENT);
  }
});
