// Under load, every client gets what the serving side gives; the captures in R2 hold no personal data, and each gives the same
// differences when it is priced again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createKeeper } from "../../worker/migration/src/keeper.js";
import { allAtNight } from "../effort.js";
import { differencesOf, openCapture } from "./exchange.js";
import { delivered, NO_JSON, order, PICKED_UP, PLANTED, UNPRICED } from "./orders.js";
import { eventually, send, ZONES } from "./shop.js";
import { shop } from "./started.js";

const CONNECTIONS = 32;
const ORDERS_EACH = allAtNight(4, 6);

/** Orders of every kind, whose every byte differs from the others'. */
const ORDERS = [
  PICKED_UP,
  UNPRICED,
  NO_JSON,
  { productList: "planted-secret" },
  order({ ownerId: undefined, voucherId: ["OWN"] }),
  order({ voucherId: ["planted-secret"] }),
  ...[1, 2, 3].map((quantity) =>
    delivered({ productList: [{ cprcode: 5001, productName: "ข้าวหอมมะลิ", quantity }, PICKED_UP.productList[0]] }),
  ),
  delivered({ shipping: { ...delivered().shipping, shippingLat: 50.654321 } }),
].map((content) => (typeof content === "string" ? content : JSON.stringify(content)));

const MODES = ["answers", "differs", "gzip", "fails", "lies", "nonsense"];

const decoded = ({ headers, body }) => (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
const stable = ({
  date,
  connection,
  "keep-alive": _,
  "transfer-encoding": __,
  "content-length": ___,
  "server-timing": ____,
  "x-request-id": _____,
  ...headers
}) => headers;

test(`${CONNECTIONS} connections: every answer is the serving side's`, async () => {
  const expected = new Map();
  for (const body of ORDERS) {
    for (const mode of MODES)
      expected.set(`old ${mode} ${body}`, await send(`${shop.legacy.url}/calculatecost4`, { body, headers: { "x-legacy-mode": mode } }));
    const given = await send(`${shop.pricing}/calculatecost4`, { body });
    for (const mode of MODES) expected.set(`fresh ${mode} ${body}`, given);
  }
  let sent = 0;
  const ids = [];
  const connection = async (_, at) => {
    for (let turn = 0; turn < ORDERS_EACH; turn += 1) {
      const number = at * ORDERS_EACH + turn;
      const [side, mode, body] = [
        ["old", "fresh"][number % 2],
        MODES[(number >> 1) % MODES.length],
        ORDERS[Math.floor((number >> 1) / MODES.length) % ORDERS.length],
      ];
      const id = `load-${number}`;
      const answer = await send(`${shop.urls[side]}/calculatecost4`, { body, headers: { "x-legacy-mode": mode, "x-request-id": id } });
      const wanted = expected.get(`${side} ${mode} ${body}`);
      const why = `${side} ${mode} ${body}`;
      assert.equal(answer.status, wanted.status, why);
      assert.ok(decoded(answer).equals(decoded(wanted)), why);
      assert.deepEqual(stable(answer.headers), stable(wanted.headers), why);
      ids.push(id);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  assert.equal(sent, CONNECTIONS * ORDERS_EACH);
  const linesOf = (event) => shop.linesOf(event).filter(({ requestId }) => requestId.startsWith("load-"));
  await eventually(() => linesOf("shadow").length >= sent, "all comparisons");
  assert.deepEqual(
    linesOf("shadow")
      .map(({ requestId }) => requestId)
      .sort(),
    ids.sort(),
  );
  assert.deepEqual(linesOf("fault"), []);
});

/** What is in a bucket, once no more comes. */
async function settled(side) {
  let before = new Map();
  return eventually(async () => {
    const found = await shop.captures(side);
    if (found.size > 0 && found.size === before.size) return found;
    before = found;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return undefined;
  }, "the last capture");
}

/** What the load has left, by side. */
const left = {};

test("captures hold nobody's data, and give the same differences when priced again", async () => {
  let captures = 0;
  const outcomes = new Set();
  for (const side of ["old", "fresh"]) {
    const texts = (left[side] = await settled(side));
    const zones = [...texts.keys()].filter((key) => key.startsWith("zones/"));
    assert.equal(zones.length, 1);
    assert.equal(texts.get(zones[0]), ZONES);
    for (const [key, text] of texts) {
      if (key === zones[0]) continue;
      assert.match(key, /^20\d\d-\d\d-\d\d\/\d{1,4}$/);
      const content = JSON.parse(text);
      assert.deepEqual(Object.keys(content), ["requestId", "route", "policy", "limits", "zones", "request", "facts", "legacy", "new"]);
      assert.equal(`zones/${content.zones}`, zones[0]);
      for (const secret of PLANTED) assert.ok(!text.includes(secret) && !JSON.stringify(content).includes(secret), `${secret}: ${text}`);
      const opened = openCapture(text, ZONES);
      const again = await opened.pricedAgain();
      assert.equal(again.text, opened.part("new", "body"));
      assert.equal(again.status, content.new.status);
      const line = shop.linesOf("shadow").find(({ requestId }) => requestId === content.requestId);
      outcomes.add(line.outcome);
      if (line.outcome === "different" || line.outcome === "same") {
        const differences = differencesOf(opened.part("legacy", "body"), again.text);
        assert.equal(differences.length, line.differenceCount);
        assert.deepEqual(
          differences.slice(0, 20),
          line.differences.map(({ path, kind }) => `${path} ${kind}`),
        );
      }
      captures += 1;
    }
  }
  assert.ok(captures > (CONNECTIONS * ORDERS_EACH) / 2, `${captures} captures`);
  assert.deepEqual([...outcomes].sort(), ["bothFailed", "different", "legacyFailed", "newFailed", "same"]);
});

test("amounts keep every digit", () => {
  const texts = [...left.fresh.values()];
  const exact = texts.filter((text) => text.includes('"settlementPrice":12345678901234567.10'));
  assert.ok(exact.length > 0);
  assert.ok(exact.every((text) => text.includes('"5001/1000":{"price":0.1,"settlementPrice":12345678901234567.10}')));
  assert.ok(texts.some((text) => text.includes('"value":50.0,')));
});

test("another customer's voucher shows nothing of its record", () => {
  const found = [...left.old.values()].filter((text) => text.includes("ownerMismatch"));
  assert.ok(found.length > 0);
  for (const text of found) assert.ok(!/777|"value":777/.test(text), text);
});

test("the address is at another point of its zone, one for all customers", () => {
  const points = new Set([...left.old.values()].flatMap((text) => text.match(/"shippingLat":[\d.]+,"shippingLon":[\d.]+/g) ?? []));
  assert.equal(points.size, 2, [...points].join("\n")); // in the zone, and outside
});

test("CAPTURE_PER_DAY: no more than that, and none is written over", async () => {
  const post = () => send(`${shop.urls.few}/calculatecost4`, { body: ORDERS[0], headers: { "x-legacy-mode": "answers" } });
  for (let turn = 0; turn < 4; turn += 1) await Promise.all(Array.from({ length: 8 }, post));
  const first = await settled("few");
  assert.equal(first.size, 3); // with the zones
  await Promise.all(Array.from({ length: 8 }, post));
  assert.deepEqual(await settled("few"), first);
});

/** How many captures are kept of an order whose parts have these sizes. */
async function keptOf({ body, maxBodyBytes = body, legacy, answer, taken = null }) {
  const kept = new Map();
  const bucket = { head: async () => taken, put: async (key, text) => kept.set(key, text) };
  const captures = createKeeper(bucket, {}, { capturesPerDay: 1, redactKey: "key" });
  const textOf = (size) => JSON.stringify({ remark: "x".repeat(size - 13) });
  const pricedFrom = { facts: {}, policy: {}, limits: { maxBodyBytes }, zones: null };
  const given = { requestId: "r1", route: "calculatecost4", body: new TextEncoder().encode(textOf(body)) };
  const left = legacy === undefined ? { status: null } : { status: 200, text: textOf(legacy) };
  await captures.keep(given, left, { status: 200, text: textOf(answer), pricedFrom });
  return kept.size;
}

test("no capture of an order that is over 128 KiB with its answers, too large for the new side, or whose slot is taken", async () => {
  const most = 128 * 1024;
  for (const [sizes, count] of [
    [{ body: most - 200, legacy: 100, answer: 100 }, 1],
    [{ body: most - 199, legacy: 100, answer: 100 }, 0],
    [{ body: 100, legacy: most - 199, answer: 100 }, 0],
    [{ body: 100, legacy: 100, answer: most - 199 }, 0],
    [{ body: 100, answer: 100 }, 1],
    [{ body: 100, maxBodyBytes: 99, legacy: 100, answer: 100 }, 0],
    [{ body: 100, answer: 100, taken: {} }, 0],
  ]) {
    assert.equal(await keptOf(sizes), count, JSON.stringify(sizes));
  }
});
