// An address moves to another point of its zone: the package finds the same fee there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { zonesIndexer } from "../../worker/src/captures/redaction/zones.js";
import { randomFrom } from "../model/generator/random.js";
import { COVERED, TEST_ZONES, UNCOVERED, UNKNOWN_BRANCHES } from "../model/generator/zones.js";
import { box, collection, zone } from "../zones.js";

const CATALOGUES = 40;
const POINTS = 25;

/** The fee of a point, or why it has no fee. */
async function feeAt(pricer, brcode, [shippingLon, shippingLat]) {
  const shipping = { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], brcode, shippingLon, shippingLat };
  const order = { productList: [{ cprcode: 1, productName: "x", quantity: 1 }], shipping };
  return pricer.calculate(order).then(
    ({ deliveryFee }) => deliveryFee,
    ({ message }) => message,
  );
}

const pricerFor = (deliveryZones) => createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 1 })) }, { deliveryZones });

/** A star around a centre, with a hole sometimes: its fee is its number. */
function drawZone(random, fee) {
  const [lon, lat] = [100 + random.integer(0, 40) / 10, 13 + random.integer(0, 40) / 10];
  const corners = random.integer(3, 12);
  const ring = (most) => {
    const points = random.times(corners, (index) => {
      const [angle, radius] = [(2 * Math.PI * index) / corners, (most * random.integer(40, 100)) / 100];
      return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
    });
    return [...points, points[0]];
  };
  const rings = random.chance(0.3) ? [ring(1.5), ring(0.3)] : [ring(1.5)];
  return zone({ brcode: random.pick([1, 2]), deliveryFee: fee }, ...rings);
}

test("points of zones that overlap, with holes", async () => {
  const found = { inside: 0, outside: 0 };
  for (let seed = 1; seed <= CATALOGUES; seed += 1) {
    const random = randomFrom(seed);
    const catalogue = collection(...random.times(random.integer(1, 8), (fee) => drawZone(random, fee)));
    const [zones, pricer] = [(await zonesIndexer())(JSON.stringify(catalogue)), await pricerFor(catalogue)];
    const moved = new Map();
    for (let turn = 0; turn < POINTS; turn += 1) {
      const [brcode, point] = [random.pick([1, 2, 3]), [99 + random.integer(0, 6000) / 1000, 12 + random.integer(0, 6000) / 1000]];
      const other = await zones.moved(brcode, point);
      const fee = await feeAt(pricer, brcode, point);
      assert.equal(await feeAt(pricer, brcode, other), fee, `seed ${seed}: ${brcode} ${point} ${other}`);
      assert.notDeepEqual(other, point);
      if (typeof fee === "number") assert.deepEqual((moved.has(fee) || moved.set(fee, other), moved.get(fee)), other, "one point a zone");
      else for (const branch of [1, 2]) assert.equal(typeof (await feeAt(pricer, branch, other)), "string", "outside every zone");
      found[typeof fee === "number" ? "inside" : "outside"] += 1;
    }
  }
  assert.ok(found.inside > 80 && found.outside > 80, JSON.stringify(found));
});

/** `[name, zones, [brcode, lon, lat][]]` of D35's golden cases, and of the zones that the other tests share. */
function catalogues() {
  const folder = new URL("../golden/", import.meta.url);
  const names = readdirSync(folder).filter((name) => /^d35-(?!refused).*\.json$/.test(name));
  const golden = names.map((name) => {
    const { order, zones } = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    const { brcode = 1000, shippingLon = 0, shippingLat = 0 } = order.shipping;
    return [name, typeof zones === "string" ? JSON.parse(zones) : zones, [[brcode, shippingLon, shippingLat]]];
  });
  const shared = [...COVERED, ...UNCOVERED].map(([, ...point]) => point);
  return [...golden, ["shared", TEST_ZONES, [...shared, ...UNKNOWN_BRANCHES.map((brcode) => [brcode, 100.6, 13.6])]]];
}

/** Corners, the middles of edges, and the doubles next to them on each side. */
function borderPoints({ features }) {
  const near = (degrees) => [degrees - 2 ** -46, degrees, degrees + 2 ** -46];
  return features.flatMap(({ geometry: { type, coordinates }, properties: { brcode } }) => {
    const rings = type === "Polygon" ? coordinates : coordinates.flat();
    const corners = rings.flatMap((ring) =>
      ring.slice(1).flatMap(([lon, lat], at) => [
        [lon, lat],
        [(lon + ring[at][0]) / 2, (lat + ring[at][1]) / 2],
      ]),
    );
    return corners.flatMap(([lon, lat]) => near(lon).flatMap((x) => near(lat).map((y) => [brcode, x, y])));
  });
}

test("points on and next to borders, in holes, in rings that cross themselves and nowhere", async () => {
  for (const [name, catalogue, points] of catalogues()) {
    const [zones, pricer] = [(await zonesIndexer())(JSON.stringify(catalogue)), await pricerFor(catalogue)];
    for (const [brcode, ...point] of [...points, ...borderPoints(catalogue)]) {
      const fee = await feeAt(pricer, brcode, point);
      assert.equal(await feeAt(pricer, brcode, await zones.moved(brcode, point)), fee, `${name}: ${brcode} ${point}`);
    }
  }
});

test("a zone that has no other point: the order is not captured", async () => {
  // The second zone is in the first, but for its border.
  const [small, world] = [zone({ brcode: 1, deliveryFee: 1 }, box(0, 0)), zone({ brcode: 2, deliveryFee: 1 }, box(-180, -90, 180, 90))];
  const zones = (await zonesIndexer())(JSON.stringify(collection(small, world)));
  assert.equal(await zones.moved(1, [9, 9]), undefined);
  assert.deepEqual(await zones.moved(1, [0.1, 0.1]), [0.5, 0.5]);
});
