/**
 * A few zones around Bangkok, and points on, in and outside them. Vertices are sums of powers of two, so that "on the
 * edge" is exact in doubles too.
 */

const box = (west, south, east, north) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const zone = (brcode, deliveryFee, type, coordinates) => ({
  type: "Feature",
  properties: { brcode, deliveryFee, name: `zone ${brcode} at ${deliveryFee}` },
  geometry: { type, coordinates },
});

export const TEST_ZONES = {
  type: "FeatureCollection",
  features: [
    zone(1000, 40, "Polygon", [box(100.5, 13.5, 100.75, 13.75)]),
    zone(1000, 55.5, "Polygon", [box(100.625, 13.625, 101, 14)]), // overlaps the first
    zone(1015, 35, "Polygon", [box(100, 13, 101, 14), box(100.25, 13.25, 100.75, 13.75)]), // has a hole
    zone(2000, 60.25, "MultiPolygon", [
      [
        [
          [100.5, 13.5],
          [101, 13.5],
          [101, 14],
          [100.5, 13.5],
        ],
      ], // slanted
      [box(99, 12, 99.5, 12.5), box(99.125, 12.125, 99.25, 12.25)],
    ]),
    zone(3000, 0, "Polygon", [
      [
        [100.5, 13.75],
        [100.75, 13.5],
        [101, 13.75],
        [100.75, 14],
        [100.5, 13.75],
      ],
    ]), // diamond
  ],
};

/** `[what, brcode, longitude, latitude]` of points that a zone covers. */
export const COVERED = [
  ["inside", 1000, 100.53, 13.5622],
  ["overlap", 1000, 100.7, 13.7],
  ["overlap", 1000, 100.65, 13.63],
  ["overlap's edge", 1000, 100.625, 13.7],
  ["second of two", 1000, 100.9, 13.9],
  ["edge", 1000, 100.5, 13.6],
  ["vertex", 1000, 101, 14],
  ["edge of the first in the second", 1000, 100.75, 13.7],
  ["inside", 1015, 100.1, 13.1],
  ["hole's edge", 1015, 100.25, 13.5],
  ["hole's vertex", 1015, 100.75, 13.75],
  ["slanted edge", 2000, 100.625, 13.625],
  ["slanted edge", 2000, 100.75, 13.75],
  ["inside", 2000, 100.9, 13.6],
  ["second part", 2000, 99.3, 12.4],
  ["hole's edge", 2000, 99.125, 12.2],
  ["level with vertices", 3000, 100.6, 13.75],
  ["vertex", 3000, 100.75, 14],
  ["slanted edge", 3000, 100.875, 13.875],
];

/** `[what, brcode, longitude, latitude]` of points that no zone of the branch covers. */
export const UNCOVERED = [
  ["far away", 1000, 98.9853, 18.7883],
  ["nowhere", 1000, 0, 0],
  ["just off the edge", 1000, 100.49999999999999, 13.6],
  ["between two", 1000, 100.55, 13.8],
  ["hole", 1015, 100.5, 13.5],
  ["just in the hole", 1015, 100.25000000000001, 13.5],
  ["just off the slanted edge", 2000, 100.625, 13.625000000000002],
  ["hole of the second part", 2000, 99.2, 12.2],
  ["level with vertices", 3000, 100.4, 13.75],
  ["level with a vertex", 3000, 100.6, 14],
  ["swapped", 3000, 13.75, 100.75],
];

export const UNKNOWN_BRANCHES = [0, -1000, 1001, 9999, 9007199254740991];
