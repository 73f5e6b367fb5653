// The shelf: a catalogue's prices in the module's memory. The package under test has planted faults, see healing.test.js.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { createPricer as createNaive } from "order-cost";
import { createPricer as createOther } from "../../target/faulty-pkg/calculate-node.js";
import { createCatalogue } from "../../target/faulty-pkg/catalogue.js";
import { createPricer } from "../../target/faulty-pkg/node.js";
import fc, { allAtNight, cases } from "../property.js";
import { currentText, makeVersion } from "../worker/catalogue.js";
import { squareZones } from "../zones.js";
import { reasonOf } from "./errors.js";

const CODES = [1, 2, 3, -4, 5, 6, 7, 8, Number.MAX_SAFE_INTEGER];
const ZERO = Object.freeze({ cprcode: 0, productName: "x", quantity: 1 });

/** The panic hook prints each planted panic. */
const { error: print } = console;
before(() => (console.error = () => {}));
after(() => (console.error = print));

/** A catalogue whose store says what it was asked for. `use` says what it has now, and whether it is late or loses shards. */
function setUp(versions, { cacheBytes = 1e6 } = {}) {
  const reads = [];
  const texts = Object.assign({}, ...versions.map(({ texts }) => texts));
  let inUse = versions[0];
  let isLate = false;
  let isDamaged = false;
  const textOf = (name) => {
    if (name === "current") return currentText(inUse);
    return isDamaged && name.startsWith("shard:") ? "1 {}\n" : (texts[name] ?? null);
  };
  const read = async (names) => {
    reads.push(...names);
    if (isLate) await new Promise((resolve) => setTimeout(resolve, 1));
    return new Map(names.map((name) => [name, textOf(name)]));
  };
  const catalogue = createCatalogue({ read, cacheBytes, refreshMs: 0, maxAgeMs: 0 });
  const use = (version, store = {}) => {
    inUse = version;
    ({ isLate = false, isDamaged = false } = store);
  };
  return { catalogue, reads, use };
}

const orderOf = (codes, more) => ({ branchId: "1000", productList: codes.map((cprcode) => ({ ...ZERO, cprcode })), ...more });

/** What came of an order: its bytes, or its error. */
const outcomeOf = (pricing) =>
  pricing.then(
    (bytes) => new TextDecoder().decode(bytes),
    ({ code, message, path, subject }) => ({ code, message, path, subject }),
  );

/** The same of an order that is priced at once. */
const nowOf = (pricer, order) => outcomeOf((async () => pricer.calculateJsonNow(JSON.stringify(order)))());

/** Records that fit an entry of the shelf, those that do not, and wrong ones. */
const RECORD = fc.oneof(
  fc.constantFrom(
    '{"price":0}',
    '{"price":12.50,"originalPrice":20,"settlementPrice":7.5,"weight":0.125,"isControlledProduct":true}',
    '{"price":1,"isControlledProduct":false}',
    '{"weight":1,"price":4}',
    '{"price":5e-1}',
    '{"price":4294967296.01}',
    '{"price":7,"remark":"ของฝาก"}',
    '{"price":9,"weight":null}',
    '{"price":1.0000000000000000000000000001}',
    "-",
  ),
  { weight: 1, arbitrary: fc.constantFrom('{"price":"10"}', '{"price":-1}', "{", "", "null", '{"price":1,"weight":"x"}') },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 99_999 }).map((satang) => `{"price":${satang / 100}}`) },
);
const LAYER = fc.dictionary(fc.constantFrom(...CODES.map(String)), RECORD);
const SHOP = fc.record({
  layers: fc.array(LAYER, { minLength: 1, maxLength: 5 }),
  hasBase: fc.boolean(),
  shardCount: fc.constantFrom(1, 2, 8),
  isListed: fc.boolean(),
});

/** They are kept as text beside the shelf. */
const ZONES = JSON.stringify(squareZones(60));

const atBranch = (records) => Object.fromEntries(Object.entries(records).map(([code, record]) => [`${code}/1000`, record]));

/** A version, and its price of a product by the maps of its layers. */
async function versionOf({ layers, hasBase, ...layout }) {
  const base = hasBase && layers.length > 1 ? layers.at(-1) : undefined;
  const own = base ? layers.slice(0, -1) : layers;
  const bottom = { "0/1000": '{"price":1}', ...atBranch(own.at(-1)) };
  const version = await makeVersion(bottom, ZONES, { above: own.slice(0, -1).map(atBranch), base, ...layout });
  const recordOf = (code) => (code === 0 ? '{"price":1}' : layers.find((layer) => Object.hasOwn(layer, `${code}`))?.[`${code}`]);
  const naive = await createNaive({
    lookupPrices: (keys) =>
      keys.map(({ cprcode, branchId }) => {
        const record = branchId === "1000" ? recordOf(cprcode) : undefined;
        return record === undefined || record === "-" ? null : record;
      }),
  });
  return { version, naive };
}

const INCOMPLETE = "The price store is incomplete: try again";

const STEP = fc.record({
  version: fc.nat(2),
  codes: fc.uniqueArray(fc.constantFrom(0, 99, ...CODES), { minLength: 1, maxLength: 8 }),
  // An order of another branch; one that breaks the module, and with it the shelf; one without a shelf.
  branchId: fc.constantFrom("1000", "1000", "1000", "other"),
  breaks: fc.constantFrom(false, false, false, true),
  store: fc.constantFrom({}, {}, { isLate: true }, { isDamaged: true }),
  isWrapped: fc.constantFrom(false, false, false, true),
});

test("any versions, in any sequence, with any room, late, broken, together: an order has the prices of the maps of its version", async () => {
  const life = fc.asyncProperty(
    fc.array(SHOP, { minLength: 3, maxLength: 3 }),
    fc.constantFrom(0, 300, 1_000, 1e6),
    fc.array(STEP, { minLength: 1, maxLength: 12 }),
    async (shops, cacheBytes, steps) => {
      const versions = await Promise.all(shops.map(versionOf));
      const { catalogue, use } = setUp(
        versions.map(({ version }) => version),
        { cacheBytes },
      );
      const price = async (step) => {
        use(versions[step.version].version, step.store);
        const { lookupPrices, deliveryZones } = await catalogue.version();
        await deliveryZones();
        const pricer = await createPricer({ lookupPrices: step.isWrapped ? (keys) => lookupPrices(keys) : lookupPrices });
        if (step.breaks) await reasonOf(pricer.calculate(orderOf([0], { basketName: "panic: plan" })));
        return outcomeOf(pricer.calculateJson(JSON.stringify(orderOf(step.codes, { branchId: step.branchId }))));
      };
      const expected = ({ version, codes, branchId }) =>
        outcomeOf(versions[version].naive.calculateJson(JSON.stringify(orderOf(codes, { branchId }))));
      for (const step of steps) {
        const outcome = await price(step);
        // What is on the shelf needs no store.
        if (!(step.store.isDamaged && outcome.message === INCOMPLETE)) assert.deepEqual(outcome, await expected(step));
        assert.ok(catalogue.state().cachedBytes <= cacheBytes);
      }
      // Together, each has the version that is in use when it begins, or learns that the module broke or a shard is damaged.
      const possible = await Promise.all(steps.map((step) => Promise.all([0, 1, 2].map((version) => expected({ ...step, version })))));
      const mayBreak = steps.some(({ breaks }) => breaks);
      const mayBeDamaged = steps.some(({ store }) => store.isDamaged);
      for (const [index, outcome] of (await Promise.all(steps.map(price))).entries()) {
        if ((mayBreak && outcome.code === "INTERNAL") || (mayBeDamaged && outcome.message === INCOMPLETE)) continue;
        assert.ok(
          possible[index].some((one) => isDeepStrictEqual(one, outcome)),
          `${JSON.stringify(outcome)} mixes versions`,
        );
      }
      const [first] = steps;
      const alone = { ...first, breaks: false, store: {} };
      assert.deepEqual(await price(alone), await expected(alone), "afterwards all is well");
    },
  );
  await fc.assert(life, { numRuns: allAtNight(100, cases(300)) });
});

const PRICES = { "1/1000": '{"price":5}', "2/1000": '{"price":0.1}', "3/1000": '{"price":7,"remark":1}' };

test("what is on the shelf is neither asked nor read, and a fact store hears it", async () => {
  const { catalogue, reads } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices });
  const calls = [];
  const facts = pricer.facts(undefined, { onCall: ({ lookup, outcome }) => calls.push(`${lookup} ${outcome}`) });
  const { grandTotal } = await pricer.calculate(orderOf([1, 2, 3]));
  assert.equal(grandTotal, 12.1);
  const shards = reads.filter((name) => name.startsWith("shard:")).length;
  assert.equal(shards, 1);
  await pricer.calculate(orderOf([3, 1]), { facts });
  assert.equal((await reasonOf(pricer.calculate(orderOf([9])))).code, "PRODUCT_PRICE_NOT_FOUND");
  assert.equal(reads.filter((name) => name.startsWith("shard:")).length, shards);
  assert.deepEqual(calls, []);
  assert.deepEqual(Object.keys(facts.toJSON().prices).sort(), ["1/1000", "3/1000"]);
});

test("what looks a price up itself gets the record as it is written, from the shelf, too", async () => {
  const records = { "1/1000": '{"price":1.50}', "2/1000": '{ "price" : 1E2 }', "3/1000": "{", "4/1000": "" };
  const { catalogue, reads } = setUp([await makeVersion(records, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const keys = [1, 2, 3, 4, 5].map((cprcode) => ({ cprcode, branchId: "1000" }));
  const texts = [...Object.values(records), null];
  assert.deepEqual(await lookupPrices(keys), texts);
  const pricer = await createPricer({ lookupPrices });
  for (let turn = 0; turn < 2; turn += 1) {
    await pricer.calculate(orderOf([1]));
    assert.deepEqual(await lookupPrices(keys), texts);
  }
  assert.equal(reads.filter((name) => name.startsWith("shard:")).length, 1);
});

test("a basket prices an added product in the same turn, if its shard is there", async () => {
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices });
  const basket = pricer.basket(orderOf([1]));
  await basket.settle();
  basket.addProduct({ ...ZERO, cprcode: 3 });
  assert.deepEqual([basket.status, basket.totals.grandTotal], ["current", 12]);
  basket.setQuantity(1, 3);
  assert.equal(basket.totals.grandTotal, 26);
  basket.addProduct({ ...ZERO, cprcode: 9 });
  assert.equal(basket.error.code, "PRODUCT_PRICE_NOT_FOUND");
  basket.free();
  const other = pricer.basket(orderOf([2]));
  assert.equal(other.status, "current", "at first sight");
  other.free();
});

test("what a basket takes, those that share its facts are told", async () => {
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices });
  const facts = pricer.facts();
  const waiting = pricer.basket(orderOf([1]), { facts });
  let told = 0;
  waiting.subscribe(() => (told += 1));
  assert.equal(waiting.status, "pending");
  await pricer.calculate(orderOf([2])); // the shard is read
  const other = pricer.basket(orderOf([1]), { facts });
  assert.equal(other.status, "current");
  await null;
  await null;
  assert.deepEqual([waiting.status, told > 0], ["current", true]);
  for (const basket of [waiting, other]) basket.free();
});

test("a price from the shelf is as old as its use, and one that is out of date waits as any other", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices });
  await pricer.calculate(orderOf([2]));
  const facts = pricer.facts(undefined, { maxAgeMs: 10_000 });
  const basket = pricer.basket(orderOf([1]), { facts });
  assert.deepEqual(facts.toJSON().at.prices, { "1/1000": 1_000_000 });
  facts.add({ prices: { "1/1000": { price: 999 } }, at: { prices: { "1/1000": 999_000 } } });
  assert.equal(basket.totals.grandTotal, 5, "an older price does not count");
  basket.refresh();
  assert.equal(basket.status, "pending");
  await basket.settle();
  assert.equal(basket.status, "current");
  basket.free();
});

test("maxAgeMs: 0: a basket settles from the shelf, also while the clock goes on, and is out of date then", async (t) => {
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices });
  await pricer.calculate(orderOf([1]));
  for (const ms of [0, 1]) {
    let now = 1_000_000;
    const clock = t.mock.method(Date, "now", () => (now += ms));
    const basket = pricer.basket(orderOf([1]), { facts: pricer.facts(undefined, { maxAgeMs: 0 }) });
    assert.equal((await basket.settle()).grandTotal, 5);
    assert.equal(basket.status, "current");
    now += 1;
    basket.setQuantity(0, 2);
    assert.equal(basket.status, "pending");
    assert.equal((await basket.settle()).grandTotal, 10);
    basket.free();
    clock.mock.restore();
  }
});

test("a copy of a catalogue's function is a function of its own", async () => {
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  await (await createPricer({ lookupPrices })).calculate(orderOf([1]));
  for (const copy of [
    Object.assign(() => ['{"price":77}'], lookupPrices),
    Object.defineProperties(() => ['{"price":77}'], Object.getOwnPropertyDescriptors(lookupPrices)),
  ]) {
    const pricer = await createPricer({ lookupPrices: copy });
    assert.equal((await pricer.calculate(orderOf([1]))).grandTotal, 77);
  }
});

test("hosts of any kind are asked, if they are not a plain object with the catalogue's function", async () => {
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  class Shop {
    lookupPrices(keys) {
      return lookupPrices(keys);
    }
  }
  for (const host of [new Shop(), new Proxy({ lookupPrices }, {}), Object.freeze({ lookupPrices }), Object.create({ lookupPrices })]) {
    const pricer = await createPricer(host);
    for (let turn = 0; turn < 2; turn += 1) assert.equal((await pricer.calculate(orderOf([1, 2, 3]))).grandTotal, 12.1);
  }
});

test("a branch that a version lacks is known to have no prices, and few of them leave a trace", async () => {
  const { catalogue } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices });
  const order = orderOf([1], { branchId: "none" });
  assert.equal((await nowOf(pricer, order)).code, "NOT_KNOWN");
  const asked = await outcomeOf(pricer.calculate(order));
  assert.equal(asked.code, "PRODUCT_PRICE_NOT_FOUND");
  assert.deepEqual(await nowOf(pricer, order), asked);
  const longNames = (from) => Array.from({ length: 100 }, (_, index) => `${from + index}`.padEnd(128, "x"));
  const price = async (names) => {
    for (const branchId of names) await reasonOf(pricer.calculate(orderOf([1], { branchId })));
    return catalogue.state().cachedBytes;
  };
  const bytes = await price(longNames(0));
  assert.equal(await price(longNames(100)), bytes);
  assert.equal((await pricer.calculate(orderOf([1]))).grandTotal, 5);
});

test("what was looked up before there is a pricer is on its shelf", async () => {
  for (const cacheBytes of [1e6, 0]) {
    const { catalogue, reads } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })], { cacheBytes });
    const { lookupPrices } = await catalogue.version();
    await lookupPrices([
      { cprcode: 1, branchId: "1000" },
      { cprcode: 1, branchId: "none" },
    ]);
    reads.length = 0;
    const pricer = await createPricer({ lookupPrices });
    if (cacheBytes === 0) {
      assert.equal((await nowOf(pricer, orderOf([1]))).code, "NOT_KNOWN");
      continue;
    }
    assert.equal(pricer.calculateNow(orderOf([1, 2])).grandTotal, 5.1);
    assert.equal((await nowOf(pricer, orderOf([1], { branchId: "none" }))).code, "PRODUCT_PRICE_NOT_FOUND");
    assert.deepEqual(reads, []);
    assert.ok(catalogue.state().cachedBytes <= cacheBytes);
  }
});

test("a rollback finds the prices of the older version where they were", async () => {
  const older = await makeVersion(PRICES, null, { shardCount: 1 });
  const newer = await makeVersion({ ...PRICES, "1/1000": '{"price":50}' }, null, { shardCount: 1 });
  const { catalogue, reads, use } = setUp([older, newer]);
  const totalWith = async (version) => {
    use(version);
    const { lookupPrices } = await catalogue.version();
    const pricer = await createPricer({ lookupPrices });
    return (await pricer.calculate(orderOf([1, 2]))).grandTotal;
  };
  assert.deepEqual([await totalWith(older), await totalWith(newer)], [5.1, 50.1]);
  reads.length = 0;
  assert.equal(await totalWith(older), 5.1);
  assert.deepEqual(reads, ["current"]);
});

test("a shard of tombstones takes no more than cacheBytes", async () => {
  const codes = Array.from({ length: 2_000 }, (_, code) => code + 1);
  const gone = Object.fromEntries(codes.map((code) => [`${code}/1000`, "-"]));
  const version = await makeVersion({ "0/1000": '{"price":1}' }, null, { shardCount: 1, above: [gone] });
  for (const cacheBytes of [1_000, 20_000, 60_000, 1e6]) {
    const { catalogue } = setUp([version], { cacheBytes });
    const { lookupPrices } = await catalogue.version();
    const pricer = await createPricer({ lookupPrices });
    for (let turn = 0; turn < 2; turn += 1) {
      assert.equal((await reasonOf(pricer.calculate(orderOf([1, 2_000])))).code, "PRODUCT_PRICE_NOT_FOUND");
      assert.equal((await pricer.calculate(orderOf([0]))).grandTotal, 1);
      assert.ok(catalogue.state().cachedBytes <= cacheBytes, `${catalogue.state().cachedBytes}`);
    }
  }
});

test("texts of many versions do not push the shards in use out", async () => {
  const prices = Object.fromEntries(Array.from({ length: 400 }, (_, code) => [`${code}/1000`, `{"price":${code}}`]));
  const versions = [];
  for (let turn = 0; turn < 12; turn += 1) {
    versions.push(await makeVersion(prices, null, { shardCount: 8, isListed: true, above: [{ "1/1000": `{"price":${turn}}` }] }));
  }
  const { catalogue, reads, use } = setUp(versions, { cacheBytes: 60_000 });
  for (const version of versions) {
    use(version);
    const { lookupPrices } = await catalogue.version();
    const pricer = await createPricer({ lookupPrices });
    await pricer.calculate(orderOf(Array.from({ length: 400 }, (_, code) => code)));
    reads.length = 0;
    await pricer.calculate(orderOf(Array.from({ length: 400 }, (_, code) => code)));
    assert.deepEqual(
      reads.filter((name) => name.startsWith("shard:")),
      [],
    );
    assert.ok(catalogue.state().cachedBytes <= 60_000);
  }
});

test("a catalogue has one shelf: another bundle's pricer asks for its prices", async () => {
  const { catalogue, reads } = setUp([await makeVersion(PRICES, null, { shardCount: 1 })]);
  const { lookupPrices } = await catalogue.version();
  for (const make of [createPricer, createOther, createPricer]) {
    const pricer = await make({ lookupPrices });
    assert.equal((await pricer.calculate(orderOf([1, 2, 3]))).grandTotal, 12.1);
    if (make === createPricer) assert.equal(pricer.calculateNow(orderOf([1, 2, 3])).grandTotal, 12.1);
    else assert.equal((await nowOf(pricer, orderOf([1]))).code, "NOT_KNOWN");
  }
  assert.equal(reads.filter((name) => name.startsWith("shard:")).length, 1);
});

test("a large order does not replace an instance whose memory a shelf takes", async () => {
  const codes = Array.from({ length: 60_000 }, (_, code) => code);
  const remark = "x".repeat(900);
  const prices = Object.fromEntries(codes.map((code) => [`${code}/1000`, `{"price":${code},"remark":"${remark}"}`]));
  const { catalogue, reads } = setUp([await makeVersion(prices, null, { shardCount: 64 })], { cacheBytes: 2 ** 27 });
  const { lookupPrices } = await catalogue.version();
  const pricer = await createPricer({ lookupPrices }, { limits: { maxBodyBytes: 2 ** 27 } });
  const shards = () => reads.filter((name) => name.startsWith("shard:")).length;
  for (let first = 0; first < codes.length; first += 2_000) await pricer.calculate(orderOf(codes.slice(first, first + 2_000)));
  assert.ok(catalogue.state().cachedBytes > 50 * 2 ** 20);
  assert.equal(shards(), 64);
  await pricer.calculate(orderOf([1], { orderRemark: "x".repeat(2 ** 23) }));
  await pricer.calculate(orderOf([1, 2]));
  assert.equal(shards(), 64, "beside the shelf the memory has grown by less than 64 MiB");
  await pricer.calculate(orderOf([1], { orderRemark: "x".repeat(2 ** 26) }));
  await pricer.calculate(orderOf([1]));
  assert.equal(shards(), 65, "by more: the shelf begins empty");
});
