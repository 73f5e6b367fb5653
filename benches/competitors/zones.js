// Delivery zones in plain JavaScript: bounding boxes first, then winding numbers.

/** @param {import("order-cost").DeliveryZones | undefined} zones */
export function zoneIndex(zones) {
  const byBranch = new Map();
  for (const { properties, geometry } of zones?.features ?? []) {
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    const zone = { fee: properties.deliveryFee, parts: polygons.map((rings) => ({ rings, box: boxOf(rings[0]) })) };
    byBranch.set(properties.brcode, [...(byBranch.get(properties.brcode) ?? []), zone]);
  }
  return {
    feeAt(shipping) {
      const brcode = shipping.brcode ?? 1000;
      const ofBranch = byBranch.get(brcode);
      if (!ofBranch) throw new Error(`Branch ${brcode} is not available`);
      const [lon, lat] = [shipping.shippingLon ?? 0, shipping.shippingLat ?? 0];
      const zone = ofBranch.find(({ parts }) => parts.some((part) => covers(part, lon, lat)));
      if (!zone) throw new Error(`Branch ${brcode} not in polygon`);
      return zone.fee;
    },
  };
}

function boxOf(ring) {
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  return { west: Math.min(...lons), east: Math.max(...lons), south: Math.min(...lats), north: Math.max(...lats) };
}

function covers({ rings: [outer, ...holes], box }, lon, lat) {
  if (lon < box.west || lon > box.east || lat < box.south || lat > box.north) return false;
  return side(outer, lon, lat) >= 0 && holes.every((hole) => side(hole, lon, lat) <= 0);
}

/** 1: inside, 0: on the ring, -1: outside. A part that a ring goes round twice is inside (D35). */
function side(ring, lon, lat) {
  let rounds = 0;
  for (let i = 1; i < ring.length; i += 1) {
    const [x1, y1] = ring[i - 1];
    const [x2, y2] = ring[i];
    const cross = (x2 - x1) * (lat - y1) - (y2 - y1) * (lon - x1);
    const isBetween = Math.min(x1, x2) <= lon && lon <= Math.max(x1, x2) && Math.min(y1, y2) <= lat && lat <= Math.max(y1, y2);
    if (cross === 0 && isBetween) return 0;
    if (y1 > lat !== y2 > lat && cross > 0 === y2 > y1) rounds += y2 > y1 ? 1 : -1;
  }
  return rounds === 0 ? -1 : 1;
}
