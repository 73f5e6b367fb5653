// `npm run data -- build --zones`: files that the pricer would read, and that nobody means.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { checkZones } from "order-cost/data";
import { zonesKey } from "../../pkg/catalogue/keys.js";
import { FaultList } from "../../worker/command-line/fault-list.js";
import { build } from "../../worker/data/build/build.js";
import { fileOf } from "../../worker/data/versions/version.js";
import { temporaryFolder } from "../folder.js";
import { box, collection } from "../zones.js";

const folder = temporaryFolder();
const prices = join(folder, "prices.csv");
before(() => writeFile(prices, "cprcode,branchId,price\n1,1000,5\n"));

/** Builds a file of zones, and gives the version and the faults with the file's name left out. */
async function built(bytes) {
  const zones = join(folder, "zones.geojson");
  await writeFile(zones, bytes);
  const faults = [];
  const bar = { update() {}, stop() {} };
  const report = { fault: (text) => faults.push(text.replace(zones, "F")), notice() {}, progress: () => bar };
  const out = join(folder, "out");
  const version = await build({ prices, zones, out }, undefined, report);
  const text = version && (await readFile(fileOf(out, zonesKey(version.manifest.zones)), "utf8"));
  return { faults, text };
}

const feature = (type, coordinates, name = "กลาง") => ({
  type: "Feature",
  properties: { brcode: 1000, deliveryFee: 40, name },
  geometry: { type, coordinates },
});
const zonesOf = (...features) => JSON.stringify(collection(...features));
const polygon = (...rings) => zonesOf(feature("Polygon", [box(100, 13, 101, 14)]), feature("Polygon", rings));

const line = (...positions) => [...positions, ...positions.slice(0, -1).reverse()];
const AREA = "expected a ring around an area, got a line";
const at = (place) => `F: features[1].geometry.coordinates${place}`;

describe("a zone without an area is a fault", () => {
  for (const [what, text, faults] of [
    [
      "a line to and fro",
      polygon([
        [100, 13],
        [101, 14],
        [101, 14],
        [100, 13],
      ]),
      [`${at("[0]")}: ${AREA}`],
    ],
    [
      "positions on one line, in any sequence",
      polygon([
        [0.1, 0.1],
        [0.7, 0.7],
        [0.3, 0.3],
        [0.6, 0.6],
        [0.1, 0.1],
      ]),
      [`${at("[0]")}: ${AREA}`],
    ],
    ["one position", polygon(Array(4).fill([100.5, 13.5])), [`${at("[0]")}: ${AREA}`]],
    ["a line with a bend", polygon(line([100, 13], [101, 13], [101, 14], [100.2, 13.7])), [`${at("[0]")}: ${AREA}`]],
    [
      "one from its middle",
      polygon([
        [101, 13],
        [100, 13],
        [101, 13],
        [101, 14],
        [101, 13],
      ]),
      [`${at("[0]")}: ${AREA}`],
    ],
    [
      "a hole of the same corners",
      polygon(box(100, 13, 101, 14), [...box(100, 13, 101, 14).slice(2), ...box(100, 13, 101, 14).slice(1, 3)]),
      [`${at("[1]")}: expected a hole that leaves an area, got one of the corners of its ring`],
    ],
    [
      "a part of several",
      zonesOf(feature("Polygon", [box(100, 13, 101, 14)]), feature("MultiPolygon", [[box(0, 0, 1, 1)], [line([5, 5], [6, 5], [7, 6])]])),
      [`${at("[1][0]")}: ${AREA}`],
    ],
  ]) {
    it(what, async () => {
      assert.deepEqual(checkZones(text), [], "the pricer reads it");
      assert.deepEqual((await built(text)).faults, faults);
    });
  }

  for (const [what, text] of [
    [
      "wings of one size, which cancel each other in a sum",
      polygon([
        [100, 13],
        [101, 14],
        [101, 13],
        [100, 14],
        [100, 13],
      ]),
    ],
    [
      "a line at a corner",
      polygon([
        [100, 13],
        [101, 13],
        [101, 14],
        [102, 15],
        [101, 14],
        [100, 13],
      ]),
    ],
    ["a metre", polygon(box(100, 13, 100.00001, 13.00001))],
    ["a round metre of 3,000 corners", polygon(round(3000, 0.00001))],
    ["a hole that is a line", polygon(box(100, 13, 101, 14), line([100.1, 13.1], [100.2, 13.1], [100.3, 13.2]))],
    [
      "a hole at all corners but one",
      polygon(box(100, 13, 101, 14), [
        [100, 13],
        [101, 13],
        [101, 14],
        [100.1, 13.5],
        [100, 13],
      ]),
    ],
  ]) {
    it(`${what}: that is one`, async () => assert.deepEqual((await built(text)).faults, []));
  }
});

function round(corners, radius) {
  const ring = Array.from({ length: corners }, (_, index) => {
    const turn = (2 * Math.PI * index) / corners;
    return [100.5 + radius * Math.cos(turn), 13.7 + radius * Math.sin(turn)];
  });
  return [...ring, ring[0]];
}

describe("a ring over the antimeridian is a fault", () => {
  const expected = "expected an edge of at most 180° of longitude";
  const advice = "split a zone over the antimeridian";
  for (const [what, text, faults] of [
    [
      "to the east",
      polygon([
        [179, 10],
        [-179, 10],
        [-179, 12],
        [179, 12],
        [179, 10],
      ]),
      [`${at("[0]")}: ${expected}, got one from 179 to -179: ${advice}`],
    ],
    [
      "to the west",
      polygon([
        [-170, 10],
        [-170, 12],
        [170.5, 12],
        [170.5, 10],
        [-170, 10],
      ]),
      [`${at("[0]")}: ${expected}, got one from -170 to 170.5: ${advice}`],
    ],
    [
      "a hole",
      polygon(box(-180, -10, 180, 10), [
        [0, 0],
        [-90, 1],
        [100, 1],
        [0, 0],
      ]),
      [`${at("[1]")}: ${expected}, got one from -90 to 100: ${advice}`],
    ],
  ]) {
    it(what, async () => {
      assert.deepEqual(checkZones(text), [], "the pricer reads it");
      assert.deepEqual((await built(text)).faults, faults);
    });
  }

  it("half the world and all of it have such edges", async () => {
    for (const text of [polygon(box(-90, -10, 90, 10)), polygon(box(-180, -90, 180, 90))]) assert.deepEqual((await built(text)).faults, []);
  });
});

describe("a file that is no UTF-8 is a fault", () => {
  const thai = (text) =>
    Buffer.from(
      text.replaceAll(/[\u0e01-\u0e5b]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xe00 + 0xa0)),
      "latin1",
    );
  const box1 = [box(100, 13, 101, 14)];
  const named = zonesOf(feature("Polygon", box1, "rice"), feature("Polygon", box1, "ข้าวหอมมะลิ"));
  const WINDOWS_874 = "expected UTF-8, got what looks like Thai in Windows-874 (TIS-620): save it as UTF-8";
  for (const [what, bytes, fault] of [
    ["Thai in Windows-874", thai(named), `F: features[1]: ${WINDOWS_874}`],
    ["one outside all features", thai(named.replace("{", '{"name":"กรุงเทพ",').replace("ข้าวหอมมะลิ", "")), `F: ${WINDOWS_874}`],
    ["one that is no JSON", thai("เขตจัดส่ง"), `F: ${WINDOWS_874}`],
    [
      "Windows-1252",
      Buffer.from(zonesOf(feature("Polygon", box1, "café")), "latin1"),
      "F: features[0]: expected UTF-8, got other bytes: save it as UTF-8",
    ],
    ["UTF-16", Buffer.from(`\ufeff${named}`, "utf16le"), "F: expected UTF-8, got other bytes: save it as UTF-8"],
  ]) {
    it(what, async () => assert.deepEqual((await built(bytes)).faults, [fault]));
  }

  it("a byte order mark is left out", async () => assert.deepEqual(await built(`\ufeff${named}`), { faults: [], text: named }));
});

it("a fault of many zones is shown ten times, and counted", async () => {
  const flat = feature("Polygon", [line([100, 13], [101, 13], [101, 14])]);
  const { faults } = await built(zonesOf(...Array(12).fill(flat)));
  const lines = [];
  const list = new FaultList((text) => lines.push(text));
  for (const fault of faults) list.add(fault);
  list.end();
  assert.equal(list.count, 12);
  assert.equal(lines.length, 11);
  assert.equal(lines.at(-1), `… and 2 more: F: features[…].geometry.coordinates[…]: ${AREA.replace(/, got .*/, "")}`);
});
