// order-cost/catalogue as its users have it: prices and zones from published files, in Node.
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { CatalogueError, createCatalogue, fromUrl } from "order-cost/catalogue";
import { mostBytesOf } from "../../pkg/catalogue/keys.js";
import { sendBomb, sendHuge } from "../huge.js";
import { listen } from "../ports.js";
import { until } from "../until.js";
import { currentText, entriesOf, makeVersion } from "../worker/catalogue.js";
import { squareZones } from "../zones.js";

const ZONES = JSON.stringify(squareZones(60));
const VERSION = await makeVersion({ "1/1000": '{"price":5}', "2/1000": '{"price":0.1}' }, ZONES, {
  above: [{ "2/1000": '{"price":7.25}' }],
});
const ORDER = {
  branchId: "1000",
  productList: [
    { cprcode: 1, productName: "x", quantity: 2 },
    { cprcode: 2, productName: "y", quantity: 1 },
  ],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], shippingLat: 13.5, shippingLon: 100.5 },
};

/** A catalogue whose store the test sees. */
function setUp(texts, options) {
  const asked = [];
  const read = (names, call) => {
    asked.push({ names, call });
    return new Map(names.map((name) => [name, texts[name] ?? null]));
  };
  return { asked, catalogue: createCatalogue({ read, ...options }) };
}

test("a version is the host's prices and the pricer's zones", async () => {
  const { asked, catalogue } = setUp(entriesOf(VERSION));
  const version = await catalogue.version();
  const pricer = await createPricer({ lookupPrices: version.lookupPrices }, { deliveryZones: () => version.deliveryZones() });
  const { grandTotal } = await pricer.calculate(ORDER, { context: "the order" });
  assert.equal(grandTotal, 2 * 5 + 7.25 + 60);
  assert.deepEqual([version.id, version.activatedAt], [VERSION.id, "2026-11-23T09:00:00.000Z"]);
  const kinds = new Set(asked.flatMap(({ names }) => names).map((name) => name.split(":")[0]));
  assert.deepEqual([...kinds].sort(), ["current", "shard", "zones"]);
  assert.deepEqual(
    asked.filter(({ names }) => names[0].startsWith("shard:")).map(({ call }) => call.context),
    ["the order"],
  );
  for (const { call } of asked) assert.ok(call.signal instanceof AbortSignal);
  const reads = asked.length;
  await pricer.calculate(ORDER);
  assert.equal(asked.length, reads, "everything is kept");
});

test("why there is no version", async () => {
  for (const [texts, message, detail] of [
    [{}, "No catalogue has been published yet", "the key current is not there"],
    [{ current: "[]" }, "The catalogue cannot be read", "the key current is refused: expected format 1 or 2, got undefined"],
  ]) {
    const begunAt = Date.now();
    const { catalogue } = setUp(texts);
    await assert.rejects(catalogue.version(), (error) => error instanceof CatalogueError && error.retryable);
    await assert.rejects(catalogue.version(), { name: "CatalogueError", message, detail });
    const { lookedAt, ...state } = catalogue.state();
    assert.deepEqual(state, { version: undefined, fault: message, cachedBytes: 0 });
    assert.ok(lookedAt >= begunAt && lookedAt <= Date.now(), `${lookedAt}`);
  }
  const catalogue = createCatalogue({ read: () => Promise.reject(new Error("down")), timeoutMs: 10 });
  await assert.rejects(catalogue.version(), { message: "The price store did not answer", detail: "down" });
});

test("a read that never ends: its signal aborts, and the order learns of it", async () => {
  let signal;
  const read = (names, call) => {
    signal = call.signal;
    return new Promise(() => {});
  };
  const catalogue = createCatalogue({ read, timeoutMs: 20 });
  await assert.rejects(catalogue.version(), { message: "The price store did not answer", detail: "No answer within 20 ms" });
  await until("its signal aborts", () => signal.aborted);
});

test("a limit longer than a timer counts is none that has passed at once", async () => {
  const texts = entriesOf(VERSION);
  const read = async (names, { signal }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    signal.throwIfAborted();
    return new Map(names.map((name) => [name, texts[name]]));
  };
  for (const timeoutMs of [2 ** 31 - 1, 2 ** 31, 2 ** 40, Infinity]) {
    const version = await createCatalogue({ read, timeoutMs }).version();
    assert.deepEqual(await version.lookupPrices([{ cprcode: 1, branchId: "1000" }]), ['{"price":5}']);
  }
});

test("a read that leaves out what is not there says so, too", async () => {
  const { catalogue } = setUp({});
  const empty = createCatalogue({ read: async () => new Map() });
  await assert.rejects(empty.version(), { message: "No catalogue has been published yet" });
  await assert.rejects(catalogue.version(), { message: "No catalogue has been published yet" });
});

test("a read that pays no heed to its signal is given up", async () => {
  const texts = entriesOf(VERSION);
  const read = (names) => (names[0] === "current" ? new Map([["current", texts.current]]) : new Promise(() => {}));
  const version = await createCatalogue({ read, timeoutMs: 20 }).version();
  await assert.rejects(version.lookupPrices([{ cprcode: 1, branchId: "1000" }]), {
    message: "The price store did not answer",
    detail: "No answer within 20 ms",
  });
});

test("options: what is undefined has its default, and what is no number is refused", async () => {
  const { catalogue } = setUp(entriesOf(VERSION), {
    refreshMs: undefined,
    maxAgeMs: undefined,
    cacheBytes: undefined,
    timeoutMs: undefined,
    hold: undefined,
    onEvent: undefined,
  });
  const version = await catalogue.version();
  assert.deepEqual(await version.lookupPrices([{ cprcode: 1, branchId: "1000" }]), ['{"price":5}']);
  for (const value of [-1, NaN, "x", null]) {
    for (const name of ["refreshMs", "maxAgeMs", "cacheBytes", "timeoutMs"]) {
      if (value === null) continue;
      assert.throws(
        () => setUp({}, { [name]: value }),
        new TypeError(`Invalid options: ${name}: expected a number of 0 or more, got ${value}`),
      );
    }
  }
});

test("options: what is unknown is refused, and what is no function", () => {
  const read = () => new Map();
  for (const [options, fault] of [
    [{ maxAge: 5 }, "maxAge: unknown, did you mean maxAgeMs"],
    [{ Refreshms: 5 }, "Refreshms: unknown, did you mean refreshMs"],
    [{ ttl: 5 }, "ttl: unknown, expected one of read, hold, onEvent, refreshMs, maxAgeMs, cacheBytes, timeoutMs"],
    [{ read: undefined }, "read: expected a function, got undefined"],
    [{ read: "/catalogue" }, "read: expected a function, got string"],
    [{ hold: 1 }, "hold: expected a function, got number"],
    [{ onEvent: null }, "onEvent: expected a function, got object"],
  ]) {
    assert.throws(() => createCatalogue({ read, ...options }), new TypeError(`Invalid options: ${fault}`));
  }
});

test("a version shows nothing of how it is read", async () => {
  const version = await setUp(entriesOf(VERSION)).catalogue.version();
  assert.deepEqual(Object.keys(version).sort(), ["activatedAt", "deliveryZones", "id", "lookupPrices", "zones"]);
});

/** Files as a web server has them. */
async function serve(t, texts, answers = {}) {
  const asked = [];
  const server = http.createServer(({ url }, response) => {
    const [path] = url.split("?");
    const name = path.slice("/shop/".length).replace("/", ":");
    asked.push(url.slice("/shop/".length).replace("/", ":"));
    response.writeHead(answers[name] ?? (name in texts ? 200 : 404), { "content-type": "text/plain" });
    response.end(texts[name]);
  });
  t.after(() => server.close().closeAllConnections());
  return { asked, base: `${await listen(server)}/shop` };
}

/** A Cache of a page, in memory. */
function memoryCache() {
  const kept = new Map();
  return {
    kept,
    match: async (url) => kept.get(url)?.clone(),
    put: async (url, response) => void kept.set(url, new Response(await response.text())),
  };
}

test("fromUrl: each name is a path, and what never changes is asked for once in all visits", async (t) => {
  const { asked, base } = await serve(t, entriesOf(VERSION));
  const cache = memoryCache();
  for (let visit = 0; visit < 2; visit += 1) {
    const catalogue = createCatalogue({ read: fromUrl(`${base}/`, { cache }) });
    const version = await catalogue.version();
    assert.deepEqual(await version.lookupPrices([{ cprcode: 2, branchId: "1000" }]), ['{"price":7.25}']);
    assert.equal(await version.deliveryZones(), ZONES);
  }
  const latest = asked.filter((name) => name === "current").length;
  assert.deepEqual([latest, new Set(asked).size], [2, asked.length - 1]);
});

test("fromUrl without a network: what was read at the last visit", async (t) => {
  const { base } = await serve(t, entriesOf(VERSION));
  const cache = memoryCache();
  const price = async (fetch) => {
    const version = await createCatalogue({ read: fromUrl(new URL(base), { cache, fetch }) }).version();
    return version.lookupPrices([{ cprcode: 1, branchId: "1000" }]);
  };
  assert.deepEqual(await price(), ['{"price":5}']);
  const offline = async () => {
    throw new TypeError("fetch failed");
  };
  assert.deepEqual(await price(offline), ['{"price":5}']);
  await assert.rejects(createCatalogue({ read: fromUrl(base, { fetch: offline }) }).version(), {
    message: "The price store did not answer",
    detail: "fetch failed",
  });
});

test("fromUrl in a network that lets nothing through: what was read at the last visit", async (t) => {
  const { base } = await serve(t, entriesOf(VERSION));
  const cache = memoryCache();
  const versionBy = (fetch) => createCatalogue({ read: fromUrl(base, { cache, fetch }), timeoutMs: 10_000 }).version();
  await versionBy();
  const { manifest } = VERSION;
  for (const text of [
    "<h1>Welcome to the airport</h1>",
    "{}",
    "[]",
    "null",
    JSON.stringify(manifest),
    JSON.stringify({ ...manifest, format: 3 }),
  ]) {
    assert.equal((await versionBy(async () => new Response(text))).id, VERSION.id, text);
    assert.equal((await versionBy(async () => Promise.reject(new TypeError("fetch failed")))).id, VERSION.id, `${text} was not kept`);
  }
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const version = versionBy(() => new Promise(() => {})); // neither answers nor fails
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  t.mock.timers.tick(2_000);
  assert.equal((await version).id, VERSION.id);
});

test("fromUrl: a browser's store that fails, and a base with a query", async (t) => {
  const { asked, base } = await serve(t, entriesOf(VERSION));
  const broken = { match: () => Promise.reject(new Error("broken")), put: () => Promise.reject(new Error("broken")) };
  const version = await createCatalogue({ read: fromUrl(`${base}?key=a%2Fb`, { cache: broken }) }).version();
  assert.deepEqual(await version.lookupPrices([{ cprcode: 1, branchId: "1000" }]), ['{"price":5}']);
  assert.ok(asked.length >= 2);
  assert.ok(
    asked.every((name) => name.endsWith("?key=a%2Fb")),
    `${asked}`,
  );
});

test("fromUrl: a copy that was spoilt here is read again from the server, and mended", async (t) => {
  const { base } = await serve(t, entriesOf(VERSION));
  const cache = memoryCache();
  const price = async () =>
    (await createCatalogue({ read: fromUrl(base, { cache }) }).version()).lookupPrices([{ cprcode: 1, branchId: "1000" }]);
  await price();
  for (const url of cache.kept.keys()) if (/shard/.test(url)) cache.kept.set(url, new Response("spoilt"));
  assert.deepEqual(await price(), ['{"price":5}']);
  for (const response of cache.kept.values()) assert.notEqual(await response.clone().text(), "spoilt");
});

test("fromUrl: a file that is not there is missing; a server that fails is no answer", async (t) => {
  const texts = { ...entriesOf(VERSION) };
  for (const [status, message] of [
    [404, "The price store is incomplete: try again"],
    [503, "The price store did not answer"],
  ]) {
    const { base } = await serve(
      t,
      texts,
      Object.fromEntries(
        Object.keys(texts)
          .filter((name) => name.startsWith("shard:"))
          .map((name) => [name, status]),
      ),
    );
    const version = await createCatalogue({ read: fromUrl(base) }).version();
    await assert.rejects(
      version.lookupPrices([
        { cprcode: 1, branchId: "1000" },
        { cprcode: 2, branchId: "1000" },
      ]),
      { message },
    );
  }
});

/** What a catalogue says to a read of its own. */
const CALL = { signal: new AbortController().signal };

test("fromUrl keeps what has been read as what its name says, and nothing else", async (t) => {
  const { manifest, texts } = VERSION;
  const all = { ...texts, current: currentText(VERSION), [`version:${VERSION.id}`]: JSON.stringify(manifest) };
  const other = `version:${"0".repeat(16)}`;
  const { base } = await serve(t, { ...all, [other]: JSON.stringify(manifest) });
  const cache = memoryCache();
  const strange = fromUrl(base, { cache, fetch: async () => new Response("{}") });
  const names = Object.keys(all);
  for (const name of [...names, other]) await strange([name], CALL);
  assert.deepEqual([...cache.kept.keys()], []);
  for (const name of [...names, other]) await fromUrl(base, { cache })([name], CALL);
  assert.deepEqual(
    [...cache.kept.keys()],
    names.map((name) => `${base}/${name.replace(":", "/")}`),
  );
});

const SOME_HASH = "0123456789abcdef0123456789abcdef";
const MIB = 2 ** 20;

/** A server that answers as it is told to. */
async function serveBy(t, answer) {
  const server = http.createServer((request, response) => answer(response, request));
  t.after(() => server.close().closeAllConnections());
  return listen(server);
}

for (const [what, send] of [
  ["a huge text", sendHuge],
  ["a gzip bomb", sendBomb],
]) {
  test(`fromUrl: ${what} is read as far as its kind may go`, async (t) => {
    const responses = [];
    const base = await serveBy(t, (response) => send(responses[responses.push(response) - 1]));
    for (const [name, most] of [
      ["current", 25 * MIB],
      ["version:0123456789abcdef", 25 * MIB],
      [`zones:${SOME_HASH}`, 25 * MIB],
      [`layer:${SOME_HASH}`, 4 * MIB],
      [`shard:${SOME_HASH}`, 25 * MIB],
      [`branch:${SOME_HASH}`, MIB],
    ]) {
      const message = `${base}/${name.replace(":", "/")} answered more than ${most} bytes`;
      await assert.rejects(async () => fromUrl(base)([name], CALL), { message });
      if (send === sendHuge) await until("the server is rid of it", () => responses.every(({ destroyed }) => destroyed));
    }
  });
}

test("fromUrl: a text of just its size is read", async (t) => {
  const name = `shard:${SOME_HASH}`;
  const text = "x".repeat(mostBytesOf(name));
  const base = await serveBy(t, (response) => response.end(text));
  assert.equal((await fromUrl(base)([name], CALL)).get(name), text);
});

test("fromUrl: a redirect is not followed, as for the other services", async (t) => {
  let asked = 0;
  const other = await serveBy(t, (response) => response.end(`${(asked += 1)}`));
  const base = await serveBy(t, (response) => response.writeHead(302, { location: other }).end());
  for (const name of ["current", `shard:${SOME_HASH}`]) {
    await assert.rejects(async () => fromUrl(base)([name], CALL), { message: `${base}/${name.replace(":", "/")} answered 302` });
  }
  assert.equal(asked, 0);
});
