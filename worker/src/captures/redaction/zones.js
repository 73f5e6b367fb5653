// Delivery zones (D34, D35): which one a point is in, and another point of the same one. The package says which: a second
// reading of the borders could disagree with the one that charges.
import { createPricer } from "order-cost";

/** @typedef {{ brcode: number, rings: [lon: number, lat: number][][], box: Box }} Zone */
/** @typedef {{ west: number, east: number, south: number, north: number }} Box */

/** How many points of a zone are tried: a pricing of a small order each. */
const MOST_POINTS = 1000;

/**
 * Returns a function that indexes zones; null: there are none. Only the module is awaited: whoever indexes can first see whether
 * somebody else has done so meanwhile.
 * @returns {Promise<(geojson: string | null) => OpenZones>}
 */
export async function zonesIndexer() {
  const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 0 })) });
  return (geojson) => {
    if (geojson === null) return new Zones(pricer, []);
    pricer.setDeliveryZones(geojson);
    return new Zones(pricer, JSON.parse(geojson).features.map(zoneOf));
  };
}

/** @typedef {Zones} OpenZones */
class Zones {
  #pricer;
  /** @type {Zone[]} */
  #zones;
  /** By the zone's place in the file, so that all its customers are at one point. */
  #points = new Map();

  constructor(pricer, zones) {
    this.#pricer = pricer;
    this.#zones = zones;
  }

  /**
   * Another point: of the zone that covers this one for the branch, or outside every zone. Undefined if there is none.
   * @param {number} brcode
   * @param {[lon: number, lat: number]} point
   */
  async moved(brcode, point) {
    const place = await this.#placeOf(brcode, point);
    if (!this.#points.has(place)) this.#points.set(place, await (place < 0 ? this.#outside() : this.#inside(place)));
    return this.#points.get(place);
  }

  /**
   * The place of the zone that sets the fee for the branch at the point; -1: none does.
   * @param {number} brcode
   * @param {[lon: number, lat: number]} point
   */
  async #placeOf(brcode, [shippingLon, shippingLat]) {
    const shipping = { shippingType: "DELIVERY", scheduleList: [{ mode: "REGULAR" }], brcode, shippingLon, shippingLat };
    try {
      const { steps } = await this.#pricer.explain({ productList: [{ cprcode: 1, productName: "", quantity: 1 }], shipping });
      return steps.find(({ rule, operands }) => rule === "zone" && operands.isChosen).operands.feature;
    } catch (error) {
      if (IN_NO_ZONE.includes(/** @type {{ code?: string }} */ (error).code ?? "")) return -1;
      throw error;
    }
  }

  async #outside() {
    for (const point of OUTSIDE) if (await this.#isOutside(point)) return point;
    return undefined;
  }

  /** @param {[lon: number, lat: number]} point */
  async #isOutside([lon, lat]) {
    const at = { west: lon, east: lon, south: lat, north: lat };
    const near = this.#zones.filter(({ box }) => overlap(box, at));
    for (const brcode of new Set(near.map((zone) => zone.brcode))) if ((await this.#placeOf(brcode, [lon, lat])) >= 0) return false;
    return true;
  }

  async #inside(place) {
    let left = MOST_POINTS;
    for (const point of this.#pointsNear(place)) {
      if ((await this.#placeOf(this.#zones[place].brcode, point)) === place) return point;
      if ((left -= 1) === 0) return undefined;
    }
    return undefined;
  }

  /**
   * Looks along lines between the corners: between two crossings with any border, all points are in the same zone. The
   * first line crosses every zone that no earlier one covers.
   * @returns {Generator<[lon: number, lat: number]>}
   */
  *#pointsNear(place) {
    const { brcode, box } = this.#zones[place];
    const rings = this.#zones.filter((zone) => zone.brcode === brcode && overlap(zone.box, box)).flatMap((zone) => zone.rings);
    for (const lat of linesThrough(rings, box)) {
      const lons = rings.flatMap((ring) => crossings(ring, lat));
      for (const lon of middles(lons)) if (lon >= box.west && lon <= box.east) yield [lon, lat];
    }
  }
}

/** Of no zone, or of no valid order. */
const IN_NO_ZONE = ["BRANCH_NOT_IN_POLYGON", "BRANCH_NOT_AVAILABLE", "VALIDATION_ERROR"];

/**
 * At sea, at the poles, and along the date line.
 * @type {[lon: number, lat: number][]}
 */
const OUTSIDE = [
  [0, 0],
  [-150, -40],
  [-30, 30],
  [0, 90],
  [0, -90],
  [180, 0],
  [-180, 0],
  [180, 90],
  [-180, -90],
];

function zoneOf({ geometry: { type, coordinates }, properties: { brcode } }) {
  const polygons = type === "Polygon" ? [coordinates] : coordinates;
  const rings = polygons.flat();
  const points = rings.flat();
  const extent = (axis) =>
    points.reduce(([least, most], point) => [Math.min(least, point[axis]), Math.max(most, point[axis])], [Infinity, -Infinity]);
  const [[west, east], [south, north]] = [extent(0), extent(1)];
  return { brcode, rings, box: { west, east, south, north } };
}

const overlap = (one, other) => one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north;

/** The latitudes in the middle between two corners, the widest gaps first. */
function linesThrough(rings, { south, north }) {
  const lats = [...new Set(rings.flat().map(([, lat]) => lat))].filter((lat) => lat >= south && lat <= north).sort(byNumber);
  return byGap(lats);
}

const middles = (lons) => byGap(lons.sort(byNumber));

/** The middles between neighbours, the widest gaps first. */
function byGap(numbers) {
  const gaps = numbers.slice(1).map((next, at) => ({ width: next - numbers[at], middle: (numbers[at] + next) / 2 }));
  return gaps.sort((one, other) => other.width - one.width).map(({ middle }) => middle);
}

function crossings(ring, lat) {
  return ring.slice(1).flatMap(([lon, to], at) => {
    const [before, from] = ring[at];
    return from > lat === to > lat ? [] : [before + ((lat - from) / (to - from)) * (lon - before)];
  });
}

const byNumber = (one, other) => one - other;
