// The largest allowed order stays inside the platform's limits: in workerd, at night from a catalogue of 200,000 products a branch.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { defaults } from "../../worker/src/options/options.js";
import { allAtNight } from "../effort.js";
import { startAlone } from "./alone.js";
import { entriesOf, makeVersion } from "./catalogue.js";
import { largestOrder, outsideOf, readsOf } from "./largest-order.js";
import { bundle, reuseNoConnection } from "./workerd.js";

const LIMITS = JSON.parse(await readFile(new URL("platform.json", import.meta.url), "utf8"));
const { MAX_BODY_BYTES, MAX_PRODUCTS, MAX_VOUCHERS, MAX_COUPONS, MAX_SCHEDULES } = defaults();
const PRODUCTS = allAtNight(20_000, 200_000);
const SHARDS = 512;
/** So many bulk reads of shards are open at once. */
const SHARD_READS = 3;
const FIRST_CODE = 110_000;
const MIB = 2 ** 20;

/** At night, two branches are more text than the Worker keeps, so its memory for texts is full. */
const BRANCHES = ["1000", "1001"];

/** workerd ends if V8's heap needs more. The module's memory and the bodies lie outside it. */
const HEAP_MIB = 92;

/** One for each mode of a nationwide parcel. */
const RATES = 3;

/** How many of these orders an isolate can price at once. */
const AT_ONCE = 2;

let workerd;
/** The keys that were read from the catalogue. */
const readKeys = [];

before(async () => {
  reuseNoConnection();
  const app = { ...(await bundle("tests/hostile/wrangler.jsonc")), bindings: { DEADLINE_MS: "0", ORDER_DEADLINE_MS: "0" } };
  const version = await makeVersion(pricesOf(), await readFile(new URL("../../worker/seed/zones.json", import.meta.url), "utf8"), {
    shardCount: SHARDS,
  });
  const outside = outsideOf(new Map(Object.entries(entriesOf(version))));
  const { CATALOGUE } = outside.stores;
  outside.stores.CATALOGUE = (key) => {
    readKeys.push(key);
    return CATALOGUE(key);
  };
  workerd = await startAlone(app, outside, { answerMs: 20, v8Flags: [`--max-heap-size=${HEAP_MIB}`] });
});

after(() => workerd?.stop());

function pricesOf() {
  const prices = {};
  for (const [place, branchId] of BRANCHES.entries()) {
    for (let index = 0; index < PRODUCTS; index += 1) prices[`${FIRST_CODE + index}/${branchId}`] = recordOf(index, place);
  }
  return prices;
}

/** With every field. */
function recordOf(index, place) {
  const price = (500 + ((index * 7919 + place * 104_729) % 90_000)) / 100;
  return `{"price":${price},"originalPrice":${price + 15},"settlementPrice":${price},"weight":0.5,"isControlledProduct":${index % 50 === 0}}`;
}

const bodyOf = (turn) =>
  largestOrder({
    branchId: BRANCHES[turn % BRANCHES.length],
    codeOf: (line) => FIRST_CODE + ((line * 37 + turn * 13) % PRODUCTS),
    point: { lat: 13.7252, lon: 100.5262, brcode: 1000 },
  });

async function price(body) {
  const response = await fetch(`${workerd.url()}/calculatecost4`, { method: "POST", body });
  const answer = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, answer.toString().slice(0, 500));
  return answer;
}

const moduleBytes = async () => Number(await (await fetch(workerd.url())).text());

describe("the largest order of an isolate that has read nothing", () => {
  const body = bodyOf(0);
  let answer;
  let asked;

  before(async () => {
    assert.ok(body.length > 0.99 * MAX_BODY_BYTES, `${body.length} bytes`);
    answer = await price(body);
    asked = workerd.asked();
  });

  test("is priced whole", () => {
    const { productList, shipping, validVouchers, discountResult } = JSON.parse(answer);
    assert.equal(productList.length, MAX_PRODUCTS);
    assert.equal(shipping.scheduleList.length, MAX_SCHEDULES);
    assert.equal(validVouchers.length, MAX_VOUCHERS);
    assert.equal(discountResult.discounts.length, MAX_COUPONS);
  });

  test("reads every shard of its branch once, 100 keys at a time", (context) => {
    const shards = readKeys.filter((key) => key.startsWith("shard:"));
    assert.deepEqual([shards.length, new Set(shards).size], [SHARDS, SHARDS]);
    // Besides: `current`, the zones, the vouchers; the rates, one call for the coupons. A slow store is asked for the zones twice.
    const most = readsOf(SHARDS) + 1 + 2 + readsOf(MAX_VOUCHERS) + RATES + 1;
    context.diagnostic(`${asked.subrequests} subrequests for ${asked.keys} keys, ${(asked.bytes / 1e6).toFixed(1)} MB`);
    assert.ok(asked.subrequests <= most, `${asked.subrequests} subrequests`);
    assert.ok(most <= Math.min(LIMITS.free.subrequests, LIMITS.readsOfKv), "even those of the free plan suffice");
  });

  test("no read of KV waits for a connection; a rate behind a URL may wait for one that is free", (context) => {
    context.diagnostic(`${asked.readsAtOnce} reads and ${asked.openAtOnce} questions open at once`);
    const reads = SHARD_READS + 2 + readsOf(MAX_VOUCHERS);
    assert.ok(reads <= LIMITS.connections);
    assert.ok(asked.readsAtOnce <= reads, `${asked.readsAtOnce} at once`);
    assert.ok(asked.openAtOnce <= reads + RATES, `${asked.openAtOnce} at once`);
  });

  test("its answer and its question for the coupons stay below three times the body", (context) => {
    context.diagnostic(`answer ${answer.length} bytes, questions ${asked.sentBytes} bytes`);
    assert.ok(answer.length <= 3 * MAX_BODY_BYTES, `${answer.length} bytes`);
    assert.ok(asked.sentBytes <= 3 * MAX_BODY_BYTES, `${asked.sentBytes} bytes`);
  });
});

test(`${AT_ONCE} at once, again and again, stay inside an isolate's memory`, async (context) => {
  const bodies = Array.from({ length: allAtNight(2, 6) * AT_ONCE }, (_, turn) => bodyOf(turn));
  let buffers = 0;
  for (let start = 0; start < bodies.length; start += AT_ONCE) {
    const sent = bodies.slice(start, start + AT_ONCE);
    const answers = await Promise.all(sent.map(price));
    buffers = Math.max(
      buffers,
      [...sent, ...answers].reduce((sum, { length }) => sum + length, 0),
    );
  }
  const module = await moduleBytes();
  const most = HEAP_MIB * MIB + module + buffers;
  const [heapMb, moduleMb, buffersMb, mostMb] = [HEAP_MIB * MIB, module, buffers, most].map((bytes) => (bytes / 1e6).toFixed(1));
  context.diagnostic(`at most ${mostMb} MB: heap ${heapMb}, module ${moduleMb}, bodies and answers ${buffersMb}`);
  assert.ok(most <= LIMITS.isolateBytes, `${mostMb} MB`);
});
