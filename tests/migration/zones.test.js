// An address moves to another point of its zone: the package finds the same fee there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { Zones } from "../../worker/src/captures/redaction/zones.js";
import { randomFrom } from "../model/generator/random.js";
import { COVERED, TEST_ZONES, UNCOVERED, UNKNOWN_BRANCHES } from "../model/generator/zones.js";

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
  const coordinates = random.chance(0.3) ? [ring(1.5), ring(0.3)] : [ring(1.5)];
  return { type: "Feature", properties: { brcode: random.pick([1, 2]), deliveryFee: fee }, geometry: { type: "Polygon", coordinates } };
}

test("points of zones that overlap, with holes", async () => {
  const found = { inside: 0, outside: 0 };
  for (let seed = 1; seed <= CATALOGUES; seed += 1) {
    const random = randomFrom(seed);
    const catalogue = { type: "FeatureCollection", features: random.times(random.integer(1, 8), (fee) => drawZone(random, fee)) };
    const [zones, pricer] = [new Zones(JSON.stringify(catalogue)), await pricerFor(catalogue)];
    const moved = new Map();
    for (let turn = 0; turn < POINTS; turn += 1) {
      const [brcode, point] = [random.pick([1, 2, 3]), [99 + random.integer(0, 6000) / 1000, 12 + random.integer(0, 6000) / 1000]];
      const other = zones.moved(brcode, point);
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

test("points on borders, in holes and nowhere", async () => {
  const [zones, pricer] = [new Zones(JSON.stringify(TEST_ZONES)), await pricerFor(TEST_ZONES)];
  const points = [...COVERED, ...UNCOVERED, ...UNKNOWN_BRANCHES.map((brcode) => ["unknown", brcode, 100.6, 13.6])];
  for (const [what, brcode, lon, lat] of points) {
    const other = zones.moved(brcode, [lon, lat]);
    assert.equal(await feeAt(pricer, brcode, other), await feeAt(pricer, brcode, [lon, lat]), `${what}: ${brcode} ${lon} ${lat}`);
  }
});

test("a zone that has no other point: the order is not captured", () => {
  // The second zone is in the first, but for its border.
  const box = [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ],
  ];
  const world = [
    [
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ],
  ];
  const zone = (brcode, coordinates) => ({ properties: { brcode }, geometry: { type: "Polygon", coordinates } });
  const zones = new Zones(JSON.stringify({ features: [zone(1, box), zone(2, world)] }));
  assert.equal(zones.moved(1, [9, 9]), undefined);
  assert.deepEqual(zones.moved(1, [0.1, 0.1]), [0.5, 0.5]);
});
