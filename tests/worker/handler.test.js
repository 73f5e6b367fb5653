// createFetchHandler alone, with Node's own fetch objects: it needs nothing of Cloudflare.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createPricer } from "order-cost";
import { createFetchHandler, requestIdOf } from "order-cost/worker";
import { spentMs } from "../../pkg/core/symbols.js";
import { fakeTime } from "../package/fake-time.js";

const ctx = { waitUntil() {} };
const encoder = new TextEncoder();

/** A pricer that answers with the given body. */
const echo = { calculateJson: async (body) => body };

const post = (path, body = "{}", init = {}) => new Request(`https://shop.example${path}`, { method: "POST", body, ...init });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const answered = async (response) => ({ status: response.status, body: await response.text() });

const failure = (error) => ({ status: 500, body: JSON.stringify({ error }) });

/** The log lines written while `run` runs. */
async function logged(run) {
  const error = mock.method(console, "error", () => {});
  try {
    await run();
    return error.mock.calls.map((call) => call.arguments);
  } finally {
    error.mock.restore();
  }
}

test("three routes, one operation: bytes in, the pricer's bytes out", async () => {
  const handle = createFetchHandler(() => echo);
  for (const route of ["/calculatecost2", "/calculatecost3", "/calculatecost4", "/calculatecost4/", "/calculatecost4?trace=1"]) {
    const response = await handle(post(route, '{"basketName":"ตะกร้า"}'), {}, ctx);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.deepEqual(await answered(response), { status: 200, body: '{"basketName":"ตะกร้า"}' }, route);
  }
});

test("a base path is the same path with any slashes", async () => {
  for (const basePath of ["shop/api", "/shop/api", "/shop/api/", "//shop//api//"]) {
    const handle = createFetchHandler(() => echo, { basePath });
    assert.equal((await handle(post("/shop/api/calculatecost4"), {}, ctx)).status, 200, basePath);
    assert.equal((await handle(post("/calculatecost4"), {}, ctx)).status, 404, basePath);
  }
  const thai = createFetchHandler(() => echo, { basePath: "ร้าน" });
  assert.equal((await thai(post("/ร้าน/calculatecost4"), {}, ctx)).status, 200);
  for (const basePath of ["", "/"]) {
    const handle = createFetchHandler(() => echo, { basePath });
    assert.equal((await handle(post("/calculatecost4"), {}, ctx)).status, 200, basePath);
  }
});

test("D40: a wrong path is 404, a wrong method 405 with Allow", async () => {
  const handle = createFetchHandler(() => assert.fail("no pricer is needed"), { basePath: "api" });
  for (const path of [
    "/",
    "/calculatecost4",
    "/api",
    "/api/calculatecost1",
    "/api/calculatecost4x",
    "/api/calculatecost4//",
    "/api/calculatecost4/x",
    "/api/CalculateCost4",
  ]) {
    const response = await handle(post(path), {}, ctx);
    assert.deepEqual(await answered(response), {
      status: 404,
      body: '{"error":"Unknown path: expected /api/calculatecost2, /api/calculatecost3, /api/calculatecost4"}',
    });
    assert.equal(response.headers.get("content-type"), "application/json");
  }
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
    const response = await handle(new Request("https://shop.example/api/calculatecost4", { method }), {}, ctx);
    assert.deepEqual(await answered(response), { status: 405, body: '{"error":"Method not allowed: expected POST"}' });
    assert.equal(response.headers.get("allow"), "POST");
  }
});

test("all orders share the getter of their signal: each of their own would be a hidden class that keeps its order", async () => {
  const calls = [];
  const pricer = {
    calculateJson: async (body, call) => {
      calls.push(call);
      return body;
    },
  };
  const handle = createFetchHandler(() => pricer);
  for (let count = 0; count < 2; count += 1) await handle(post("/calculatecost4"), {}, ctx);
  const [first, second] = calls.map((call) => Object.getOwnPropertyDescriptor(call, "signal")?.get);
  assert.equal(typeof first, "function");
  assert.equal(first, second);
  assert.equal({ ...calls[0] }.signal, calls[0].signal, "a pricer that wraps another one may spread it");
});

test("the pricer gets the request's signal and the runtime's context", async () => {
  let call;
  const pricer = { calculateJson: async (body, given) => ((call = given), body) };
  const request = post("/calculatecost4");
  await createFetchHandler(() => pricer)(request, {}, ctx);
  assert.equal(call.signal, request.signal);
  assert.equal(call.context, ctx);
});

/** A pricer whose response disappears from its memory as soon as `take` returns. */
function lender() {
  const calculateJson = async () => encoder.encode('"copied"');
  calculateJson[Symbol.for("order-cost.lending")] = async (_body, _call, take) => {
    const memory = encoder.encode('"lent"');
    const taken = take(memory);
    memory.fill(0);
    return taken;
  };
  return { calculateJson };
}

const body = async (pricer) => (await createFetchHandler(() => pricer)(post("/calculatecost4"), {}, ctx)).text();

test("a response is made directly from the module's memory if Response copies its input", async (context) => {
  assert.equal(await body(lender()), '"lent"');
  class Sharing extends Response {
    #bytes;
    constructor(bytes, init) {
      super(bytes, init);
      this.#bytes = bytes;
    }
    async arrayBuffer() {
      return this.#bytes.buffer;
    }
  }
  const { Response: own } = globalThis;
  context.after(() => (globalThis.Response = own));
  globalThis.Response = Sharing;
  assert.equal(await body(lender()), '"copied"');
});

test("a calculateJson that overrides the pricer's is the one that is called", async () => {
  const pricer = await createPricer({});
  assert.match(await body(pricer), /at least one product/);
  const { calculateJson } = echo;
  const get = (target, name) => (name === "calculateJson" ? calculateJson : target[name]);
  for (const overridden of [Object.create(pricer, { calculateJson: { value: calculateJson } }), new Proxy(pricer, { get })]) {
    assert.equal(await body(overridden), "{}");
  }
  pricer.calculateJson = calculateJson;
  assert.equal(await body(pricer), "{}");
});

test("a runtime without env and ctx, without waitUntil or without signals is served too", async () => {
  assert.equal((await createFetchHandler(() => echo)(post("/calculatecost4"))).status, 200);
  assert.equal((await createFetchHandler(() => echo)(post("/calculatecost4"), {}, {})).status, 200);
  const { headers, body, url, method } = post("/calculatecost4");
  const response = await createFetchHandler(() => echo, { maxBodyBytes: 1 })({ headers, body, url, method }, {}, ctx);
  assert.deepEqual(await answered(response), failure("Request body is larger than 1 bytes"));
});

test("the factory runs once, with the env, for orders that arrive together and later", async () => {
  const envs = [];
  const handle = createFetchHandler(async (env) => (envs.push(env), echo));
  const env = { name: "env" };
  await Promise.all([1, 2, 3].map(() => handle(post("/calculatecost4"), env, ctx)));
  await handle(post("/calculatecost4"), env, ctx);
  assert.deepEqual(envs, [env]);
});

for (const [how, fail] of [
  [
    "throws",
    () => {
      throw new Error("secret address");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("secret address");
    },
  ],
]) {
  test(`a factory that ${how} is a logged "Internal error", and runs again for the next order`, async () => {
    let runs = 0;
    const handle = createFetchHandler(() => (++runs === 1 ? fail() : echo));
    const log = await logged(async () => {
      assert.deepEqual(await answered(await handle(post("/calculatecost4"), {}, ctx)), failure("Internal error"));
    });
    assert.equal(log.length, 1);
    assert.match(log[0][0], /^The pricer could not be created: secret address: +at /);
    assert.equal((await handle(post("/calculatecost4"), {}, ctx)).status, 200);
    assert.equal(runs, 2);
  });
}

test("a factory's error for clients reaches each waiting order, and is logged once", async () => {
  const failed = (message, more) => Object.assign(new Error(message), { toJSON: () => ({ error: message, at: "10.0.0.1" }) }, more);
  for (const [error, told] of [
    [failed("The zone store did not answer"), "The zone store did not answer"],
    [failed("unreachable at src/price.rs", { code: "INTERNAL" }), "Internal error"],
    [Object.assign(new Error("at 10.0.0.1"), { toJSON: () => ({ message: "at 10.0.0.1" }) }), "Internal error"],
  ]) {
    const handle = createFetchHandler(() => Promise.reject(error));
    const log = await logged(async () => {
      const responses = await Promise.all([1, 2].map(() => handle(post("/calculatecost4"), {}, ctx)));
      for (const response of responses) assert.deepEqual(await answered(response), failure(told));
    });
    assert.equal(log.length, 1);
    assert.ok(log[0][0].startsWith(`The pricer could not be created: ${error.message}: `));
  }
});

/** Time goes on only by `tick`, until the test ends. */
function stopTime(t) {
  const { tick, restore } = fakeTime();
  t.after(restore);
  t.mock.method(performance, "now", () => Date.now());
  return async (ms) => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
    tick(ms);
  };
}

test("waitUntil keeps the creation of the pricer alive beyond the order that started it", async (t) => {
  const pass = stopTime(t);
  let begin;
  const kept = [];
  const ctx = { waitUntil: (promise) => kept.push(promise) };
  const handle = createFetchHandler(() => new Promise((resolve) => (begin = () => resolve(echo))), { deadlineMs: 20 });
  const orders = [1, 2].map(() => handle(post("/calculatecost4"), {}, ctx));
  await pass(20);
  const [first, second] = await Promise.all(orders);
  for (const response of [first, second]) {
    assert.deepEqual(await answered(response), failure("The order was not priced within 20 ms"));
  }
  assert.equal(kept.length, 1);
  begin();
  await kept[0];
  assert.equal((await handle(post("/calculatecost4"), {}, ctx)).status, 200);
  assert.equal(kept.length, 1);

  const failing = createFetchHandler(() => Promise.reject(new Error("closed")), { onOrder() {} });
  await failing(post("/calculatecost4"), {}, ctx);
  await kept[1]; // the runtime does not hear of the failure
  assert.equal(kept.length, 2);
});

test("orders that wait for the pricer leave no listener on their signals, and need none", async () => {
  for (const deadlineMs of [0, 5_000]) {
    const handle = createFetchHandler(async () => echo, { deadlineMs });
    const [request, plain] = [post("/calculatecost4"), post("/calculatecost4")];
    Object.defineProperty(plain, "signal", { value: undefined }); // older runtimes have none
    for (const { status } of await Promise.all([request, plain].map((one) => handle(one, {}, ctx)))) assert.equal(status, 200);
    assert.deepEqual(getEventListeners(request.signal, "abort"), []);
  }
});

test("an order whose client goes while its pricer begins to be made does not wait for that", async () => {
  const client = new AbortController();
  const handle = createFetchHandler(() => new Promise(() => {}));
  const response = await handle(post("/calculatecost4", "{}", { signal: client.signal }), {}, { waitUntil: () => client.abort() });
  assert.equal(response.headers.get("x-order-cost-error"), "ABORTED");
});

test("D40: a PricingError becomes its JSON; the text and stack of our own failure go only to the log", async () => {
  const withJson = (facts) => Object.assign(new Error(facts.error), { toJSON: () => ({ error: facts.error }) }, facts);
  const thrown = {
    order: withJson({ name: "PricingError", code: "PRODUCT_PRICE_NOT_FOUND", error: "No price for 1001/1000" }),
    panic: withJson({ name: "PricingError", code: "INTERNAL", error: "unreachable at src/price.rs" }),
    foreign: Object.assign(new Error("at 10.0.0.1"), { toJSON: () => ({ message: "at 10.0.0.1" }) }),
    nothing: undefined,
  };
  const pricer = {
    calculateJson: async (body) => {
      throw thrown[new TextDecoder().decode(body)];
    },
  };
  const handle = createFetchHandler(() => pricer);
  const answer = async (body) => answered(await handle(post("/calculatecost4", body), {}, ctx));

  const log = await logged(async () => {
    assert.deepEqual(await answer("order"), failure("No price for 1001/1000"));
    for (const ours of ["panic", "foreign", "nothing"]) assert.deepEqual(await answer(ours), failure("Internal error"));
  });
  assert.equal(log.length, 3);
  assert.match(log[0][0], /^An order failed: unreachable at src\/price\.rs: +at .*handler\.test\.js/);
  assert.match(log[1][0], /^An order failed: at 10\.0\.0\.1: +at .*handler\.test\.js/);
  assert.equal(log[2][0], "An order failed");
});

test("a pricer that rejects with nothing after its client has gone is our failure", async () => {
  const client = new AbortController();
  const pricer = { calculateJson: () => (client.abort(), Promise.reject()) };
  const log = await logged(async () => {
    const response = await createFetchHandler(() => pricer)(post("/calculatecost4", "{}", { signal: client.signal }), {}, ctx);
    assert.deepEqual(await answered(response), failure("Internal error"));
  });
  assert.deepEqual(log, [["An order failed"]]);
});

test("a log record is one line of at most 500 characters, without control characters", async () => {
  const error = Object.assign(new Error("first\nsecond\u001b[2J\u009b2J\u2028\u202e\ud83d"), { cause: { toString: null } });
  error.cause.cause = new Error("x".repeat(1000));
  const handle = createFetchHandler(() => ({ calculateJson: () => Promise.reject(error) }));
  const [[text, ...more]] = await logged(() => handle(post("/calculatecost4"), {}, ctx));
  assert.deepEqual(more, []);
  assert.ok(text.startsWith("An order failed: first\\u{a}second\\u{1b}[2J\\u{9b}2J\\u{2028}\\u{202e}\\u{d83d}: object: xxx"), text);
  assert.doesNotMatch(text, /[\p{C}\p{Zl}]/u);
  assert.equal(text.length, 500);
});

describe("the deadline of an order", () => {
  const LATE = failure("The order was not priced within 20 ms");
  const never = new Promise(() => {});
  /** Sends `sent` and then nothing. */
  const stalled = (sent, onCancel = () => {}) =>
    new ReadableStream({ start: (controller) => controller.enqueue(encoder.encode(sent)), cancel: onCancel });

  test("a body that never arrives", async () => {
    for (const headers of [{}, { "content-length": "100" }]) {
      let isCancelled = false;
      const handle = createFetchHandler(() => assert.fail("no pricer is needed"), { deadlineMs: 20 });
      const body = stalled('{"productList":', () => (isCancelled = true));
      const request = post("/calculatecost4", body, { duplex: "half", headers });
      assert.deepEqual(await answered(await handle(request, {}, ctx)), LATE);
      if (!headers["content-length"]) assert.ok(isCancelled);
    }
  });

  test("a pricer that is never created", async () => {
    const handle = createFetchHandler(() => never, { deadlineMs: 20 });
    assert.deepEqual(await answered(await handle(post("/calculatecost4"), {}, ctx)), LATE);
  });

  test("what the server spent before the order began", async (t) => {
    const pass = stopTime(t);
    const handle = createFetchHandler(() => never, { deadlineMs: 20 });
    const request = Object.assign(post("/calculatecost4"), { [spentMs]: 15 });
    const response = handle(request, {}, ctx);
    await pass(5);
    assert.deepEqual(await answered(await response), LATE);
  });

  test("look-ups that are each in time, but too long together: the host gets the reason", async (t) => {
    const pass = stopTime(t);
    let signal;
    const later = (answer) => (_, ctx) => {
      signal = ctx.signal;
      return new Promise((resolve) => setTimeout(resolve, 15, answer));
    };
    const host = { lookupPrices: later([{ price: 1 }]), validateCoupons: later({}) };
    const handle = createFetchHandler(() => createPricer(host), { deadlineMs: 20 });
    await handle(post("/calculatecost4", "{}"), {}, ctx); // loads the module
    const order = JSON.stringify({ productList: [{ cprcode: 1, productName: "", quantity: 1 }], couponCodeList: ["A"] });
    const response = handle(post("/calculatecost4", order), {}, ctx);
    await pass(15);
    await pass(5);
    assert.deepEqual(await answered(await response), LATE);
    const { code, retryable, requestId } = signal.reason;
    assert.deepEqual([code, retryable], ["DEADLINE_EXCEEDED", true]);
    assert.match(requestId, /^[0-9a-f-]{36}$/);
  });

  test("an order in time leaves no timer and no listener behind", async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const handle = createFetchHandler(() => echo, { deadlineMs: 60_000 });
    const request = post("/calculatecost4");
    assert.equal((await handle(request, {}, ctx)).status, 200);
    assert.equal(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length, before);
    assert.equal(getEventListeners(request.signal, "abort").length, 0);
  });

  test("a body that always has another empty chunk", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) });
    const handle = createFetchHandler(() => assert.fail("no pricer is needed"), { deadlineMs: 20 });
    assert.deepEqual(await answered(await handle(post("/calculatecost4", endless, { duplex: "half" }), {}, ctx)), LATE);
  });

  test("a client that has hung up before its order begins", async () => {
    const pricer = await createPricer({});
    for (const deadlineMs of [0, 60_000]) {
      const { headers, body, url, method } = post("/calculatecost4");
      const request = { headers, body, url, method, signal: AbortSignal.abort() };
      const response = await createFetchHandler(() => pricer, { deadlineMs })(request, {}, ctx);
      assert.deepEqual(await answered(response), failure("The calculation was aborted"));
    }
  });

  test("a body that breaks off is not our fault: nothing is logged", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("Network connection lost.")) });
    const handle = createFetchHandler(() => assert.fail("no pricer is needed"));
    const log = await logged(async () => {
      const response = await handle(post("/calculatecost4", broken, { duplex: "half" }), {}, ctx);
      assert.deepEqual(await answered(response), failure("Failed to parse request body"));
    });
    assert.deepEqual(log, []);
  });

  test("a client that hangs up ends its order, whatever the deadline", async () => {
    const client = new AbortController();
    const pricer = {
      calculateJson: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const handle = createFetchHandler(() => pricer, { deadlineMs: 60_000 });
    setTimeout(() => client.abort(Object.assign(new Error("gone"), { toJSON: () => ({ error: "gone" }) })), 5);
    assert.deepEqual(await answered(await handle(post("/calculatecost4", "{}", { signal: client.signal }), {}, ctx)), failure("gone"));
  });
});

test("invalid options are refused at once", () => {
  for (const [path, expected, values] of [
    ["basePath", "a string", [5, null]],
    ["deadlineMs", "an integer of 0 to 2147483647", [-1, 1.5, NaN, 2 ** 31, Infinity, "5000", null]],
    ["maxBodyBytes", "an integer of 0 or more", [-1, 1.5, NaN, Infinity, "1"]],
    ["onOrder", "a function", [5, null]],
    ["input", "an object", [5, null, "lenient", ["lenient"]]],
  ]) {
    const refusal = { code: "VALIDATION_ERROR", path, message: `Invalid options: ${path}: expected ${expected}`, requestId: UUID };
    for (const value of values) assert.throws(() => createFetchHandler(() => echo, { [path]: value }), refusal);
  }
});

test("D49: each route reads its orders strictly or leniently, else as its pricer does", async () => {
  const order = JSON.stringify({ productList: [{ cprcode: "1", productName: 5, quantity: "2" }] });
  const pricer = await createPricer({ lookupPrices: () => [{ price: 7 }] }, { input: "lenient" });
  const handle = createFetchHandler(() => pricer, { input: { calculatecost2: "lenient", calculatecost4: "strict" } });
  for (const route of ["calculatecost2", "calculatecost3"]) {
    const response = await handle(post(`/${route}`, order), {}, ctx);
    const {
      grandTotal,
      productList: [row],
    } = await response.json();
    assert.deepEqual([response.status, grandTotal, row.cprcode, row.productName, row.quantity], [200, 14, 1, "5", 2], route);
  }
  assert.deepEqual(
    await answered(await handle(post("/calculatecost4", order), {}, ctx)),
    failure("Invalid order: productList[0].cprcode: expected an integer"),
  );
});

test("D49: an unknown route, or another word, is refused", () => {
  const refused = (input, path, expected) =>
    assert.throws(() => createFetchHandler(() => echo, { input }), {
      code: "VALIDATION_ERROR",
      message: `Invalid options: ${path}: expected ${expected}`,
    });
  refused({ calculatecost5: "lenient" }, "input.calculatecost5", "a route, one of calculatecost2, calculatecost3, calculatecost4");
  refused({ calculatecost2: "loose" }, "input.calculatecost2", "one of strict, lenient");
});

test("a body over the limit is refused by its length, before it is read", async () => {
  const handle = createFetchHandler(() => assert.fail("no pricer is needed"), { maxBodyBytes: 10 });
  const request = post("/calculatecost4", "12345678901", { headers: { "content-length": "11" } });
  assert.deepEqual(await answered(await handle(request, {}, ctx)), failure("Request body is larger than 10 bytes"));
  assert.equal(request.bodyUsed, false);
});

test("a body without a declared length is read only up to the limit", async () => {
  let sent = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 4;
      controller.enqueue(encoder.encode("1234"));
    },
    cancel() {
      cancelled = true;
    },
  });
  const handle = createFetchHandler(() => echo, { maxBodyBytes: 10 });
  const request = post("/calculatecost4", endless, { duplex: "half" });
  assert.deepEqual(await answered(await handle(request, {}, ctx)), failure("Request body is larger than 10 bytes"));
  assert.ok(cancelled);
  assert.ok(sent <= 20, `${sent} bytes were read`);
});

test("a body longer than declared is refused too", async () => {
  const handle = createFetchHandler(() => assert.fail("no pricer is needed"), { maxBodyBytes: 10 });
  for (const length of ["3", "0", "many"]) {
    const request = post("/calculatecost4", "12345678901", { headers: { "content-length": length } });
    assert.deepEqual(await answered(await handle(request, {}, ctx)), failure("Request body is larger than 10 bytes"));
  }
});

test("a body of exactly the limit is priced, and its chunks are joined in sequence", async () => {
  const chunks = ["12", "", "345", "67890"].map((text) => encoder.encode(text));
  const body = new ReadableStream({
    pull: (controller) => (chunks.length ? controller.enqueue(chunks.shift()) : controller.close()),
  });
  const handle = createFetchHandler(() => echo, { maxBodyBytes: 10 });
  assert.deepEqual(await answered(await handle(post("/calculatecost4", body, { duplex: "half" }), {}, ctx)), {
    status: 200,
    body: "1234567890",
  });
});

test("the default limit is 1 MiB", async () => {
  const handle = createFetchHandler(() => echo);
  assert.equal((await handle(post("/calculatecost4", new Uint8Array(1_048_576)), {}, ctx)).status, 200);
  assert.deepEqual(
    await answered(await handle(post("/calculatecost4", new Uint8Array(1_048_577)), {}, ctx)),
    failure("Request body is larger than 1048576 bytes"),
  );
});

test("a missing body reaches the pricer as zero bytes", async () => {
  const response = await createFetchHandler(() => echo)(post("/calculatecost4", null), {}, ctx);
  assert.deepEqual(await answered(response), { status: 200, body: "" });
});

describe("the id of a request", () => {
  const idOf = async (sent) => {
    const headers = sent === undefined ? {} : { "x-request-id": sent };
    return (await createFetchHandler(() => echo)(post("/calculatecost4", "{}", { headers }), {}, ctx)).headers.get("x-request-id");
  };

  test("is the client's, if it has 1 to 64 plain characters, or else a new one", async () => {
    for (const sent of ["a", "x".repeat(64), "A-Z_a.z-0_9"]) assert.equal(await idOf(sent), sent);
    for (const sent of [undefined, "", "x".repeat(65), "a b", "a/b", "a,b", '"a"']) {
      assert.match(await idOf(sent), UUID, sent);
    }
    assert.notEqual(await idOf(), await idOf());
  });

  test("is the same for the whole request: for the host, the error, every answer and requestIdOf", async () => {
    const seen = [];
    const host = { lookupPrices: (keys, { requestId }) => (seen.push(requestId), keys.map(() => null)) };
    const handle = createFetchHandler(() => createPricer(host), {
      onOrder: ({ requestId, error }) => seen.push(requestId, error.requestId),
    });
    const request = post("/calculatecost4", ORDER);
    const response = await handle(request, {}, ctx);
    assert.equal(response.status, 500);
    const id = response.headers.get("x-request-id");
    assert.deepEqual([...seen, requestIdOf(request)], Array(4).fill(id));
    for (const other of [post("/elsewhere"), new Request("https://shop.example/calculatecost4")]) {
      assert.equal((await handle(other, {}, ctx)).headers.get("x-request-id"), requestIdOf(other));
    }
  });
});

const ORDER = JSON.stringify({
  productList: [1, 2, 2].map((cprcode) => ({ cprcode, productName: "x", quantity: 1 })),
  voucherId: ["V1", "V1"],
  couponCodeList: ["C"],
  ownerId: "U",
  shipping: { shippingType: "DELIVERY", shippingPostcode: "10110", scheduleList: [{ mode: "NATIONWIDE" }] },
});

describe("onOrder", () => {
  const HOST = {
    lookupPrices: (keys) => keys.map(() => '{"price":5}'),
    nationwideRate: async () => ({ deliveryFee: 7 }),
    lookupVouchers: async () => [{ ownerId: "U", value: 1, isActive: true, isUsed: false }],
    validateCoupons: async () => "{}",
  };

  /** What `onOrder` is told about one order. */
  async function told(host, body = ORDER, { options, make = () => createPricer(host), ...init } = {}) {
    const outcomes = [];
    const handle = createFetchHandler(make, { onOrder: (outcome) => outcomes.push(outcome), ...options });
    const response = await handle(post("/calculatecost3", body, init), {}, ctx);
    assert.equal(outcomes.length, 1);
    return { response, ...outcomes[0] };
  }

  test("is told of a priced order: the counts as the order lists them, and the times of its look-ups", async () => {
    const { response, ms, ...outcome } = await told(HOST);
    assert.deepEqual(outcome, {
      status: 200,
      route: "calculatecost3",
      requestId: response.headers.get("x-request-id"),
      error: undefined,
      lines: 3,
      vouchers: 2,
      coupons: 1,
      schedules: 1,
      context: ctx,
    });
    assert.deepEqual(Object.keys(ms), ["total", "prices", "rates", "vouchers", "coupons"]);
    assert.ok(Object.values(ms).every((time) => time >= 0 && time <= ms.total));
  });

  test("…only of the look-ups that it made", async () => {
    const { ms, lines } = await told(HOST, '{"productList":[{"cprcode":1,"productName":"x","quantity":1}]}');
    assert.deepEqual([Object.keys(ms), lines], [["total", "prices"], 1]);
  });

  test("…and of each failure, with the error that the header names", async () => {
    const cause = new Error("the store is down");
    const failing = { ...HOST, lookupPrices: () => Promise.reject(cause) };
    for (const [outcome, code, message, lines] of [
      [await told(failing), "PRICE_LOOKUP_FAILED", "the store is down", 3],
      [await told(HOST, "{"), "INVALID_JSON", "Failed to parse request body", 0],
      [await told(HOST, ORDER, { options: { maxBodyBytes: 9 } }), "LIMIT_EXCEEDED", "Request body is larger than 9 bytes", 0],
      [await told(HOST, '{"productList":[]}'), "VALIDATION_ERROR", "Invalid order: productList: expected at least one product", 0],
      [
        await told({ lookupPrices: () => new Promise(() => {}) }, ORDER, { options: { deadlineMs: 1_000 } }),
        "DEADLINE_EXCEEDED",
        "The order was not priced within 1000 ms",
        3,
      ],
      [await told(HOST, ORDER, { signal: AbortSignal.abort() }), "ABORTED", "The calculation was aborted", 0],
      [await told(HOST, ORDER, { make: () => Promise.reject(new TypeError("secret")) }), "INTERNAL", "Internal error", 0],
      [await told(HOST, ORDER, { make: () => ({ calculateJson: () => assert.fail("secret") }) }), "INTERNAL", "Internal error", 0],
    ]) {
      const { error, response, status } = outcome;
      assert.deepEqual([error.code, error.message, outcome.lines, status], [code, message, lines, 500]);
      assert.deepEqual(await answered(response), failure(message));
      assert.equal(response.headers.get("x-order-cost-error"), code);
      assert.equal(error.name, "PricingError");
    }
    assert.equal((await told(failing)).error.cause, cause);
  });

  test("a look-up that never answered counts until the end", async (t) => {
    const pass = stopTime(t);
    const telling = told({ lookupPrices: () => new Promise(() => {}) }, ORDER, { options: { deadlineMs: 60 } });
    await pass(60);
    const { ms } = await telling;
    assert.deepEqual([ms.prices, ms.total], [60, 60]);
  });

  test("with it the routes log nothing by themselves; without it they log what is ours", async () => {
    const make = () => {
      throw new Error("no pricer");
    };
    assert.deepEqual(await logged(() => told(HOST, ORDER, { make })), []);
    const lines = await logged(() => createFetchHandler(make)(post("/calculatecost4"), {}, ctx));
    assert.equal(lines.length, 1);
  });

  test("what it throws is logged, and harms nothing", async () => {
    const onOrder = () => {
      throw new Error("my metrics are down");
    };
    const handle = createFetchHandler(() => createPricer(HOST), { onOrder });
    let response;
    const lines = await logged(async () => (response = await handle(post("/calculatecost4", ORDER), {}, ctx)));
    assert.equal(response.status, 200);
    assert.equal(lines.length, 1);
    assert.match(lines[0][0], /^onOrder failed: .*my metrics are down/);
  });

  test("…also if it is asynchronous", async () => {
    const onOrder = async () => {
      throw new Error("my metrics are down");
    };
    const handle = createFetchHandler(() => createPricer(HOST), { onOrder });
    const lines = await logged(async () => {
      assert.equal((await handle(post("/calculatecost4", ORDER), {}, ctx)).status, 200);
      await new Promise(setImmediate);
    });
    assert.match(lines[0][0], /^onOrder failed: .*my metrics are down/);
  });

  test("a look-up with two questions ends with the last answer", async (t) => {
    const pass = stopTime(t);
    const nationwideRate = ({ nationwideMode }) => (nationwideMode === "DRY" ? '{"deliveryFee":1}' : new Promise(() => {}));
    const scheduleList = ["DRY", "FRESH"].map((nationwideMode) => ({ mode: "NATIONWIDE", nationwideMode }));
    const order = JSON.stringify({ ...JSON.parse(ORDER), shipping: { shippingType: "DELIVERY", shippingPostcode: "10110", scheduleList } });
    const telling = told({ ...HOST, nationwideRate }, order, { options: { deadlineMs: 60 } });
    await pass(60);
    assert.equal((await telling).ms.rates, 60);
  });

  test("a look-up counts no longer than until its answer", async (t) => {
    const pass = stopTime(t);
    const validateCoupons = () => new Promise((resolve) => setTimeout(resolve, 60, { discounts: [] }));
    const telling = told({ ...HOST, validateCoupons }, JSON.stringify({ ...JSON.parse(ORDER), couponCodeList: ["A"] }));
    await pass(60);
    const { ms } = await telling;
    assert.deepEqual([ms.prices, ms.coupons, ms.total], [0, 60, 60]);
  });

  test("an error that was made for clients says to them what its toJSON says, and nothing else", async () => {
    const made = (error) => told(HOST, ORDER, { make: () => ({ calculateJson: () => Promise.reject(error) }) });
    for (const [error, message, code] of [
      [{ code: "OVERFLOW", toJSON: () => ({ error: "too large" }) }, "too large", "OVERFLOW"],
      [Object.assign(new Error("secret"), { code: "OVERFLOW", toJSON: () => ({ error: "too large" }) }), "too large", "OVERFLOW"],
      [{ code: "no code", toJSON: () => ({ error: "too large" }) }, "too large", "INTERNAL"],
      [{ code: "OVERFLOW", toJSON: () => assert.fail("secret") }, "Internal error", "INTERNAL"],
      [{ code: "OVERFLOW", toJSON: () => ({ error: 5 }) }, "Internal error", "INTERNAL"],
      ...["A".repeat(64), "_"].map((code) => [{ code, toJSON: () => ({ error: "too large" }) }, "too large", code]),
      ...["A".repeat(65), "", "x OVERFLOW", "OVERFLOW\r\nx: 1"].map((code) => [
        { code, toJSON: () => ({ error: "too large" }) },
        "too large",
        "INTERNAL",
      ]),
    ]) {
      const { response, error: told } = await made(error);
      assert.deepEqual(await answered(response), failure(message));
      assert.deepEqual([told.code, response.headers.get("x-order-cost-error")], [code, code]);
    }
    for (const [retryable, expected] of [
      [true, true],
      [false, false],
      [undefined, false],
      ["yes", false],
    ]) {
      const { error: told } = await made({ code: "OVERFLOW", retryable, toJSON: () => ({ error: "too large" }) });
      assert.equal(told.retryable, expected, `${retryable}`);
    }
  });

  test("a pricer that returns no bytes is our failure", async () => {
    const log = await logged(async () => {
      for (const priced of [undefined, 5, "{}"]) {
        const { response, error } = await told(HOST, ORDER, { make: () => ({ calculateJson: async () => priced }) });
        assert.equal(error.cause.message, "calculateJson returned no bytes");
        assert.deepEqual(await answered(response), failure("Internal error"));
      }
    });
    assert.deepEqual(log, [], "onOrder has heard of it");
  });

  test("an abort counts at once, also while the pricer is being made", async () => {
    const controller = new AbortController();
    const outcome = told(HOST, ORDER, { make: () => new Promise(() => {}), signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    assert.equal((await outcome).error.code, "ABORTED");
  });

  test("hears of every order of a pricer that wraps another one and hands `call` on", async () => {
    const pricer = await createPricer(HOST);
    const { lines, ms } = await told(HOST, ORDER, { make: () => ({ calculateJson: (body, call) => pricer.calculateJson(body, call) }) });
    assert.deepEqual([lines, "coupons" in ms], [3, true]);
  });
});
