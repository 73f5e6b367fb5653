// What a client gets is what the serving side gives, whatever the other side does; and each comparison's one line.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { HUGE_BYTES } from "./legacy.js";
import { DELIVERED, NO_JSON, order, PICKED_UP, PLANTED, UNPRICED } from "./orders.js";
import { eventually, send } from "./shop.js";
import { newId, post, shop } from "./started.js";

/** Without what every hop says for itself. */
const endToEnd = ({ date, connection, "keep-alive": _, "transfer-encoding": __, "content-length": ___, ...headers }) => headers;

/** The pricing Worker's lines about an order, once there are `count`. */
const linesAbout = (id, count) =>
  eventually(() => {
    const found = shop.linesOf("order").filter(({ requestId }) => requestId === id);
    return found.length >= count && found;
  }, `${count} lines`);

/** The log's faults of an order, if there are any. */
const faultsAbout = (id) => {
  const faults = shop.linesOf("fault").filter(({ requestId }) => requestId === id);
  return faults.length > 0 && faults;
};

/** The log's line about an order that is not compared. */
const leftOut = (id) => shop.linesOf("left-out").find(({ requestId }) => requestId === id);

/** A side that hangs has 10 s: the tests do not wait for each. */
const late = [];

/** Its client has the answer, and the side that hangs is still waited for. */
function assertStillOut(id) {
  assert.equal(
    shop.linesOf("shadow").some(({ requestId }) => requestId === id),
    false,
  );
}

/** A header's times differ from call to call. */
const untimed = ({ "server-timing": _, ...headers }) => endToEnd(headers);

const direct = (content, id, route = "calculatecost4") =>
  send(`${shop.pricing}/${route}`, {
    body: typeof content === "string" ? content : JSON.stringify(content),
    headers: { "x-request-id": id },
  });

describe("the old service serves", () => {
  const EXPECTED = {
    answers: { outcome: "same", status: { legacy: 200, new: 200 }, reason: {}, grandTotalDelta: 0, differences: [] },
    slow: { outcome: "same", status: { legacy: 200, new: 200 }, reason: {}, grandTotalDelta: 0, differences: [] },
    differs: {
      outcome: "different",
      status: { legacy: 200, new: 200 },
      reason: {},
      grandTotalDelta: -2,
      differences: [{ path: "grandTotal", kind: "value" }],
    },
    gzip: { outcome: "same", status: { legacy: 200, new: 200 }, reason: {}, grandTotalDelta: 0, differences: [] },
    fails: {
      outcome: "legacyFailed",
      status: { legacy: 503, new: 200 },
      reason: { legacy: "status" },
      grandTotalDelta: null,
      differences: [],
    },
    lies: {
      outcome: "legacyFailed",
      status: { legacy: 200, new: 200 },
      reason: { legacy: "noObject" },
      grandTotalDelta: null,
      differences: [],
    },
    deep: {
      outcome: "legacyFailed",
      status: { legacy: 200, new: 200 },
      reason: { legacy: "noObject" },
      grandTotalDelta: null,
      differences: [],
    },
    redirects: {
      outcome: "legacyFailed",
      status: { legacy: 302, new: 200 },
      reason: { legacy: "status" },
      grandTotalDelta: null,
      differences: [],
    },
    empty: {
      outcome: "legacyFailed",
      status: { legacy: 204, new: 200 },
      reason: { legacy: "status" },
      grandTotalDelta: null,
      differences: [],
    },
    huge: {
      outcome: "legacyFailed",
      status: { legacy: 200, new: 200 },
      reason: { legacy: "tooLong" },
      grandTotalDelta: null,
      differences: [],
    },
  };

  for (const [mode, expected] of Object.entries(EXPECTED)) {
    test(`it ${mode}`, async () => {
      const given = await send(`${shop.legacy.url}/calculatecost4`, {
        body: JSON.stringify(DELIVERED),
        headers: { "x-legacy-mode": mode },
      });
      const answer = await post("legacy", DELIVERED, { "x-legacy-mode": mode, "accept-encoding": "gzip" });
      assert.equal(answer.status, given.status);
      assert.deepEqual(endToEnd(answer.headers), endToEnd(given.headers));
      assert.ok(decoded(answer).equals(decoded(given)));
      assert.notEqual(answer.headers["keep-alive"], "timeout=7", "it is for one hop");
      if (mode === "huge") assert.equal(answer.body.length, HUGE_BYTES);
      const { event, requestId, route, served, ms, differenceCount, ...line } = await shop.comparisonOf(answer.id);
      assert.deepEqual(line, expected);
      assert.deepEqual(
        [event, requestId, route, served, differenceCount],
        ["shadow", answer.id, "calculatecost4", "legacy", expected.differences.length],
      );
      assert.ok(ms.legacy >= 0 && ms.new >= 0);
    });
  }

  const decoded = ({ headers, body }) => (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);

  test("it writes nonsense: the log shows no name and no text of it", async () => {
    const { id } = await post("legacy", DELIVERED, { "x-legacy-mode": "nonsense" });
    const { differences, differenceCount, outcome } = await shop.comparisonOf(id);
    assert.equal(outcome, "different");
    assert.equal(differences.length, 20);
    assert.ok(differenceCount > 30);
    assert.deepEqual(differences[0], { path: "…", kind: "missing" });
    assert.deepEqual(differences[1], { path: "subTotal", kind: "type" });
  });

  test("it crashes in the middle of its answer: so does the client's", async () => {
    const id = newId();
    await assert.rejects(post("legacy", PICKED_UP, { "x-legacy-mode": "crashes", "x-request-id": id }), /aborted|hang up|ECONNRESET/);
    const { outcome, reason } = await shop.comparisonOf(id);
    assert.deepEqual([outcome, reason], ["legacyFailed", { legacy: "brokenOff" }]);
  });

  test("a status that no Response can have is the client's all the same", async () => {
    const { status, body, id } = await post("legacy", PICKED_UP, { "x-legacy-mode": "odd" });
    assert.deepEqual([status, body.toString()], [999, "odd"]);
    assert.deepEqual((await shop.comparisonOf(id)).status, { legacy: 999, new: 200 });
  });

  test("it cannot be reached: 500, and the other side's answer is not its answer", async () => {
    const { status, body, headers, id } = await post("dead", PICKED_UP);
    assert.equal(status, 500);
    assert.deepEqual(JSON.parse(body), { error: "The service could not be reached" });
    assert.equal(headers["x-request-id"], id);
    const line = await shop.comparisonOf(id);
    assert.deepEqual(
      [line.outcome, line.served, line.status, line.reason],
      ["legacyFailed", "legacy", { legacy: null, new: 200 }, { legacy: "unreachable" }],
    );
  });

  test("it gets the client's request, and the new side gets it with the header of a second call", async () => {
    const { id } = await post("legacy", PICKED_UP, { authorization: "Bearer planted-secret", "x-order-cost-shadow": "1" });
    const { url, headers, body } = await eventually(
      () => shop.legacy.received.find((one) => one.headers["x-request-id"] === id),
      "the request",
    );
    assert.equal(url, "/old/calculatecost4?q=1");
    assert.equal(headers.authorization, "Bearer planted-secret");
    assert.deepEqual(JSON.parse(body), PICKED_UP);
    const line = await eventually(() => shop.linesOf("order").find(({ requestId }) => requestId === id), "the new side's line");
    assert.deepEqual([line.shadow, line.route, line.status], [true, "calculatecost4", 200]);
  });

  test("it gets the id of the log's line, also if the client has sent none that it may choose", async () => {
    const invalid = "081 234 5678";
    for (const [at, headers] of [{}, { "x-request-id": invalid }].entries()) {
      const body = JSON.stringify(order({ specialComment: `without an id ${at}` }));
      await send(`${shop.urls.legacy}/calculatecost4`, { body, headers: { "x-legacy-mode": "answers", ...headers } });
      const { headers: received } = shop.legacy.received.find((one) => one.body.toString() === body);
      assert.match(received["x-request-id"], /^[0-9a-f-]{36}$/);
      await shop.comparisonOf(received["x-request-id"]);
    }
    assert.ok(!shop.logs.join("\n").includes(invalid));
  });

  test("both fail, with one message or each with its own", async () => {
    const [same, own] = await Promise.all([post("legacy", UNPRICED), post("legacy", UNPRICED, { "x-legacy-mode": "fails" })]);
    assert.deepEqual(pick(await shop.comparisonOf(own.id)), ["bothFailed", 1]);
    assert.equal(own.status, 503);
    // This old service gives its failures the status 200.
    const line = await shop.comparisonOf(same.id);
    assert.deepEqual([...pick(line), line.reason], ["bothFailed", 0, { legacy: "error", new: "status" }]);
  });

  test("an order that is too long to be kept is passed on whole, and not compared", async () => {
    const long = JSON.stringify(order({ specialComment: "x".repeat(30_000) }));
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      const { id, body, status } = await post("legacy", long, headers);
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(body), JSON.parse((await direct(long, id)).body));
      const { body: received } = shop.legacy.received.find((one) => one.headers["x-request-id"] === id);
      assert.equal(received.toString(), long);
      await wait(300);
      assert.equal(
        shop.linesOf("shadow").some(({ requestId }) => requestId === id),
        false,
      );
      assert.deepEqual(leftOut(id), { level: "info", event: "left-out", requestId: id, route: "calculatecost4", reason: "length" });
    }
  });

  test("a client hangs up: the Worker goes on, and serves the next", async () => {
    const patience = new AbortController();
    const sent = post("legacy", PICKED_UP, { "x-legacy-mode": "hangs", "x-request-id": "r-gone" }, { signal: patience.signal });
    await eventually(() => shop.legacy.received.some(({ headers }) => headers["x-request-id"] === "r-gone"), "the order");
    patience.abort();
    await assert.rejects(sent, { name: "AbortError" });
    const half = new AbortController();
    const headers = { "x-legacy-mode": "huge" };
    const huge = await fetch(`${shop.urls.legacy}/calculatecost4`, {
      method: "POST",
      headers,
      body: JSON.stringify(PICKED_UP),
      signal: half.signal,
    });
    half.abort();
    await assert.rejects(huge.text(), { name: "AbortError" });
    await eventually(() => shop.linesOf("left-out").some(({ reason }) => reason === "hungUp"), "the order that is left out");
    const { status } = await post("legacy", PICKED_UP);
    assert.equal(status, 200);
  });

  for (const [mode, outcome] of Object.entries({
    throws: "newFailed",
    lies: "newFailed",
    nonsense: "newFailed",
    huge: "newFailed",
    answers: "different",
    hangs: "newFailed",
  })) {
    test(`the new side ${mode}`, async () => {
      const given = await direct(DELIVERED, "r");
      const { status, body, headers, id } = await post("fake", DELIVERED, { "x-new-mode": mode });
      assert.equal(status, 200);
      assert.ok(body.equals(given.body));
      assert.equal(headers["x-legacy"], "1");
      if (mode === "hangs") assertStillOut(id), late.push({ id, outcome });
      else assert.equal((await shop.comparisonOf(id)).outcome, outcome);
    });
  }
});

describe("an old service that leads back to the shadow Worker", () => {
  const MESSAGE = "LEGACY_URL leads back to the shadow Worker";

  for (const [what, shadow] of [
    ["not compared", "none"],
    ["compared", "legacy"],
  ]) {
    test(`${what}: the first request that comes back is refused`, async () => {
      const order = { route: "calculatecost3" };
      const { status, body, id } = await post(shadow, PICKED_UP, { "x-legacy-mode": "loops", "x-loops-to": shop.urls[shadow] }, order);
      assert.deepEqual([status, JSON.parse(body)], [508, { error: MESSAGE }]);
      const faults = await eventually(() => faultsAbout(id), "a line");
      assert.deepEqual(faults, [{ level: "error", event: "fault", requestId: id, message: MESSAGE }]);
    });
  }

  test("asked second: the client does not notice", async () => {
    const { status, id } = await post("new", PICKED_UP, { "x-legacy-mode": "loops", "x-loops-to": shop.urls.new });
    assert.equal(status, 200);
    const line = await shop.comparisonOf(id);
    assert.deepEqual([line.outcome, line.status.legacy], ["legacyFailed", 508]);
  });
});

describe("the new service serves", () => {
  const OUTCOMES = {
    answers: "same",
    differs: "different",
    gzip: "same",
    fails: "legacyFailed",
    lies: "legacyFailed",
    deep: "legacyFailed",
    redirects: "legacyFailed",
    empty: "legacyFailed",
    huge: "legacyFailed",
    crashes: "legacyFailed",
    hangs: "legacyFailed",
  };

  for (const [mode, outcome] of Object.entries(OUTCOMES)) {
    test(`the old one ${mode}`, async () => {
      const answer = await post("new", DELIVERED, { "x-legacy-mode": mode });
      const given = await direct(DELIVERED, answer.id);
      assert.equal(answer.status, 200);
      assert.ok(answer.body.equals(given.body));
      assert.deepEqual(untimed(answer.headers), untimed(given.headers));
      if (mode === "hangs") return (assertStillOut(answer.id), late.push({ id: answer.id, outcome }));
      const line = await shop.comparisonOf(answer.id);
      assert.equal(line.outcome, outcome);
      if (mode === "differs") assert.equal(line.grandTotalDelta, -2);
      const { headers } = shop.legacy.received.find((one) => one.headers["x-request-id"] === answer.id);
      assert.equal(headers["x-order-cost-shadow"], "1");
    });
  }

  test("its failures are the client's, with their headers", async () => {
    for (const content of [UNPRICED, NO_JSON, ""]) {
      const answer = await post("new", content);
      const given = await direct(content, answer.id);
      assert.equal(answer.status, 500);
      assert.ok(answer.body.equals(given.body));
      assert.deepEqual(untimed(answer.headers), untimed(given.headers));
      const lines = await linesAbout(answer.id, 2);
      assert.deepEqual(
        lines.map(({ shadow }) => shadow),
        [undefined, undefined],
      );
    }
  });

  test("it fails altogether: 500", async () => {
    const { status, body, id } = await post("fakeServes", PICKED_UP, { "x-new-mode": "throws" });
    assert.deepEqual([status, JSON.parse(body)], [500, { error: "The service could not be reached" }]);
    const line = await shop.comparisonOf(id);
    assert.deepEqual([line.outcome, line.served, line.reason], ["newFailed", "new", { new: "unreachable" }]);
  });

  test("its log line is that of a request", async () => {
    const { id } = await post("new", DELIVERED, { "x-order-cost-shadow": "1" });
    await direct(DELIVERED, id);
    const lines = await linesAbout(id, 2);
    const [one, other] = lines.map(({ ms, reads, ...line }) => line);
    assert.deepEqual(one, other);
  });
});

describe("routes and shares", () => {
  test("each route has its side", async () => {
    for (const [route, isNew] of [
      ["calculatecost2", false],
      ["calculatecost3", true],
      ["calculatecost4", false],
    ]) {
      const { headers, id, status } = await post("mixed", PICKED_UP, {}, { route });
      assert.equal(status, 200);
      assert.equal(headers["x-legacy"], isNew ? undefined : "1");
      const line = await shop.comparisonOf(id);
      assert.deepEqual([line.route, line.outcome], [route, "same"]);
    }
  });

  test("other paths and methods are the serving side's, and not compared", async () => {
    const answer = await send(`${shop.urls.legacy}/health?x=1`, { method: "GET" });
    assert.deepEqual(JSON.parse(answer.body), { method: "GET", url: "/old/health?x=1", bytes: 0 });
    const wrong = await send(`${shop.urls.new}/calculatecost4`, { method: "GET" });
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, "POST"]);
  });

  test("no path leads to another host than the old service's", async () => {
    for (const shadow of ["legacy", "none"]) {
      const { body } = await send(`${shop.urls[shadow]}//127.0.0.1:9/a?x=1`, { method: "GET" });
      assert.deepEqual(JSON.parse(body).url, "/old//127.0.0.1:9/a?x=1");
      const { status, id } = await post(shadow, PICKED_UP, {}, { route: "/127.0.0.1:9/calculatecost3" });
      assert.equal(status, 200);
      assert.equal(shop.legacy.received.find((one) => one.headers["x-request-id"] === id).url, "/old//127.0.0.1:9/calculatecost3?q=1");
      if (shadow === "legacy") await shop.comparisonOf(id);
    }
  });

  test("a path that the pricing Worker does not have is its 404, compared or not", async () => {
    for (const route of ["v1/calculatecost4", "calculatecost4//"]) {
      const compared = await post("new", PICKED_UP, {}, { route });
      const given = await direct(PICKED_UP, compared.id, route);
      assert.deepEqual([compared.status, compared.body.toString()], [given.status, given.body.toString()]);
      await shop.comparisonOf(compared.id);
    }
  });

  test("share 0 compares nothing, from either side, and changes nothing", async () => {
    const before = shop.linesOf("shadow").length;
    for (let index = 0; index < 20; index += 1) {
      const [old, fresh] = await Promise.all([post("none", PICKED_UP, {}, { route: "calculatecost3" }), post("none", PICKED_UP)]);
      assert.deepEqual([old.headers["x-legacy"], fresh.headers["x-legacy"]], ["1", undefined]);
      assert.ok(old.body.equals(fresh.body));
    }
    const { status, body } = await post("fakeOnly", PICKED_UP, { "x-new-mode": "m" });
    assert.deepEqual([status, body.toString()], [299, "fetched: m"]);
    await wait(300);
    assert.equal(shop.linesOf("shadow").length, before);
  });

  test("share 0.5 compares about half", async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, async () => (await post("half", PICKED_UP)).id));
    const compared = () => shop.linesOf("shadow").filter(({ requestId }) => ids.includes(requestId)).length;
    await eventually(() => compared() > 10, "more than ten comparisons");
    await wait(500);
    assert.ok(compared() < 50, `${compared()} of 60`);
  });

  test("a redirect is passed on, not followed, if the order is not compared either", async () => {
    const { status, headers, body } = await post("none", PICKED_UP, { "x-legacy-mode": "redirects" }, { route: "calculatecost2" });
    assert.deepEqual([status, headers.location, body.toString()], [302, "https://elsewhere.example/", "moved"]);
  });

  test("SHADOW_COUPONS=0 leaves out orders with coupon codes", async () => {
    const without = await post("couponless", PICKED_UP);
    const withCodes = await post("couponless", DELIVERED);
    assert.equal(withCodes.status, 200);
    await shop.comparisonOf(without.id);
    assert.equal(
      shop.linesOf("shadow").some(({ requestId }) => requestId === withCodes.id),
      false,
    );
    assert.equal(leftOut(withCodes.id).reason, "coupons");
  });
});

describe("the pricing Worker has keys and CORS", () => {
  const ORIGIN = { origin: "https://shop.example" };
  const CASES = [
    ["no key", ORIGIN, 401],
    ["a wrong key", { authorization: "Bearer x" }, 401],
    ["the key", { authorization: "Bearer s3cret", ...ORIGIN }, 200],
    ["no key, but it says that it is a second call", { "x-order-cost-shadow": "1" }, 401],
  ];

  for (const [name, headers, status] of CASES) {
    test(`it serves, and checks a client as if that asked directly: ${name}`, async () => {
      const answer = await post("keyedServes", PICKED_UP, headers);
      const given = await send(`${shop.keyed}/calculatecost4`, {
        body: JSON.stringify(PICKED_UP),
        headers: { "x-request-id": answer.id, ...headers },
      });
      assert.equal(answer.status, status);
      assert.ok(answer.body.equals(given.body));
      assert.deepEqual(untimed(answer.headers), untimed(given.headers));
    });
  }

  test("the old one serves: the second call needs no key", async () => {
    const { status, id } = await post("keyed", PICKED_UP);
    assert.equal(status, 200);
    assert.equal((await shop.comparisonOf(id)).outcome, "same");
  });
});

test("a side that hangs has failed after 10 s", async () => {
  assert.equal(late.length, 2);
  for (const { id, outcome } of late) {
    const line = await shop.comparisonOf(id);
    assert.equal(line.outcome, outcome);
    assert.ok(Math.max(line.ms.legacy, line.ms.new) >= 9_900);
    assert.deepEqual(Object.values(line.reason), ["timeout"]);
  }
});

const pick = ({ outcome, differenceCount }) => [outcome, differenceCount];

test("no line of the log holds anything of an order or of an old service's answer", () => {
  const written = shop.logs.join("\n");
  assert.ok(shop.linesOf("shadow").length > 30);
  for (const secret of PLANTED) assert.equal(written.includes(secret), false, secret);
});
