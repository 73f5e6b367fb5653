// Delivery zones of the tests: squares of one degree, as GeoJSON.

/** The ring around a box, of one degree unless all its sides are given. */
export const box = (west, south, east = west + 1, north = south + 1) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

export const zone = (properties, ...coordinates) => ({ type: "Feature", properties, geometry: { type: "Polygon", coordinates } });

export const collection = (...features) => ({ type: "FeatureCollection", features });

/** One zone, of a branch. */
export const squareZones = (deliveryFee, brcode = 1000) => collection(zone({ brcode, deliveryFee }, box(100, 13)));

/** The `shipping` of an order to the middle of that zone: a schedule for each mode. */
export const deliveredBy = (...modes) => ({
  shippingType: "DELIVERY",
  shippingLat: 13.5,
  shippingLon: 100.5,
  scheduleList: modes.map((mode) => ({ mode })),
});
