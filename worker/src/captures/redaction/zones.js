// Delivery zones (D34, D35): which one a point is in, and another point of the same one.
import contains from "point-in-polygon-hao";

/** @typedef {{ brcode: number, polygons: [lon: number, lat: number][][][], box: Box }} Zone */
/** @typedef {{ west: number, east: number, south: number, north: number }} Box */

/** How many lines through a zone are tried. The first crosses every zone that no earlier one covers. */
const MOST_LINES = 100;

export class Zones {
  /** @type {Zone[]} */
  #zones;
  /** By the zone's place in the file, so that all its customers are at one point. */
  #points = new Map();

  /** @param {string | null} geojson null: there are none */
  constructor(geojson) {
    const { features } = geojson === null ? { features: [] } : JSON.parse(geojson);
    this.#zones = features.map(zoneOf);
  }

  /**
   * Another point: of the zone that covers this one for the branch, or outside every zone. Undefined if there is none.
   * @param {number} brcode
   * @param {[lon: number, lat: number]} point
   */
  moved(brcode, point) {
    const place = this.#placeOf(brcode, point);
    if (!this.#points.has(place)) this.#points.set(place, place < 0 ? this.#outside() : this.#inside(place));
    return this.#points.get(place);
  }

  /** The place of the first zone of the branch that covers the point; -1: none does. */
  #placeOf(brcode, point) {
    return this.#zones.findIndex((zone) => zone.brcode === brcode && covers(zone, point));
  }

  #outside() {
    return OUTSIDE.find((point) => !this.#zones.some((zone) => covers(zone, point)));
  }

  /** Looks along lines between the corners: between two crossings with any border, all points are in the same zone. */
  #inside(place) {
    const { brcode, box } = this.#zones[place];
    const rings = this.#zones.filter((zone) => zone.brcode === brcode && overlap(zone.box, box)).flatMap(ringsOf);
    for (const lat of linesThrough(rings, box)) {
      const lons = rings.flatMap((ring) => crossings(ring, lat));
      const lon = middles(lons).find((middle) => this.#placeOf(brcode, [middle, lat]) === place);
      if (lon !== undefined) return [lon, lat];
    }
    return undefined;
  }
}

/** At sea, at the poles, and along the date line. */
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
  const points = polygons.flat(2);
  const extent = (axis) =>
    points.reduce(([least, most], point) => [Math.min(least, point[axis]), Math.max(most, point[axis])], [Infinity, -Infinity]);
  const [[west, east], [south, north]] = [extent(0), extent(1)];
  return { brcode, polygons, box: { west, east, south, north } };
}

const covers = ({ polygons, box }, point) =>
  overlap(box, { west: point[0], east: point[0], south: point[1], north: point[1] }) &&
  polygons.some(([outer, ...holes]) => contains(point, [outer]) !== false && holes.every((hole) => contains(point, [hole]) !== true));

const overlap = (one, other) => one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north;

const ringsOf = ({ polygons }) => polygons.flat();

/** The latitudes in the middle between two corners, the widest gaps first. */
function linesThrough(rings, { south, north }) {
  const lats = [...new Set(rings.flat().map(([, lat]) => lat))].filter((lat) => lat >= south && lat <= north).sort(byNumber);
  return byGap(lats).slice(0, MOST_LINES);
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
