// A file of delivery zones. The pricer reads some that nobody means: for a build they are faults.
import { isUtf8 } from "node:buffer";
import { checkZones } from "order-cost/data";
import { otherBytes } from "./encoding.js";

/** @typedef {{ path?: string, message: string }} ZonesFault */

/**
 * The text of a file of zones, without a byte order mark.
 * @param {string} file
 * @param {Buffer} bytes its content
 * @param {(fault: string) => void} fault told each fault
 * @returns {string | undefined} undefined: it is no UTF-8
 */
export function zonesText(file, bytes, fault) {
  /** @param {ZonesFault} found */
  const tell = ({ path, message }) => fault(`${file}: ${path ? `${path}: ` : ""}${message}`);
  if (!isUtf8(bytes)) {
    tell(encodingFault(bytes.toString("latin1")));
    return undefined;
  }
  const text = new TextDecoder().decode(bytes);
  for (const found of faultsOf(text)) tell(found);
  return text;
}

/** @param {string} latin1 */
function encodingFault(latin1) {
  return { path: otherFeature(latin1), message: `expected UTF-8, got ${otherBytes(latin1)}: save it as UTF-8` };
}

/**
 * The path of the first feature that is no UTF-8; undefined: there is none, or the text is no GeoJSON.
 * @param {string} latin1
 */
function otherFeature(latin1) {
  try {
    const features = JSON.parse(latin1).features.map((feature) => Buffer.from(JSON.stringify(feature), "latin1"));
    const index = features.findIndex((bytes) => !isUtf8(bytes));
    return index < 0 ? undefined : `features[${index}]`;
  } catch {
    return undefined;
  }
}

function faultsOf(text) {
  const faults = checkZones(text).map(({ path, expected }) => ({ path, message: `expected ${expected}` }));
  if (faults.length > 0) return faults;
  const { features } = JSON.parse(text);
  if (features.length === 0) return [{ path: "features", message: "expected at least one zone; --no-zones says that the shop has none" }];
  return features.flatMap(({ geometry: { type, coordinates } }, index) => {
    const path = `features[${index}].geometry.coordinates`;
    const polygons = type === "Polygon" ? [[path, coordinates]] : coordinates.map((rings, part) => [`${path}[${part}]`, rings]);
    return polygons.flatMap(([path, rings]) => [...polygonFaults(path, rings)]);
  });
}

function* polygonFaults(path, rings) {
  const [outer, ...holes] = rings;
  for (const [index, ring] of rings.entries()) {
    const edge = edgeOverAntimeridian(ring);
    if (!edge) continue;
    const got = `got one from ${edge[0]} to ${edge[1]}`;
    yield {
      path: `${path}[${index}]`,
      message: `expected an edge of at most 180° of longitude, ${got}: split a zone over the antimeridian`,
    };
  }
  if (isLine(outer)) yield { path: `${path}[0]`, message: "expected a ring around an area, got a line" };
  const whole = holes.findIndex((hole) => corners(hole) === corners(outer));
  if (whole >= 0)
    yield { path: `${path}[${whole + 1}]`, message: "expected a hole that leaves an area, got one of the corners of its ring" };
}

/** The longitudes of an edge that goes the long way round, across all zones between. One of 360° is the edge of a map. */
function edgeOverAntimeridian(ring) {
  const edges = ring.slice(1).map(([to], index) => [ring[index][0], to]);
  return edges.find(([from, to]) => Math.abs(to - from) > 180 && Math.abs(to - from) < 360);
}

/** Whether nothing is left of a ring without what runs to and fro. Its area does not tell: wings may cancel each other. */
function isLine(ring) {
  const left = [];
  for (const position of ring) {
    while (left.length > 1 && isOnLine(left.at(-2), left.at(-1), position)) left.pop();
    left.push(position);
  }
  return left.length < 4;
}

/** How far doubles of decimals may be off a line, in degrees. */
const ROUNDING = 1e-13;

function isOnLine([x, y], ...others) {
  const [[x1, y1], [x2, y2]] = others.map(([otherX, otherY]) => [otherX - x, otherY - y]);
  const lengths = Math.abs(x1) + Math.abs(y1) + Math.abs(x2) + Math.abs(y2);
  return Math.abs(x1 * y2 - y1 * x2) <= ROUNDING * lengths;
}

const corners = (ring) => [...new Set(ring.map(([x, y]) => `${x},${y}`))].sort().join(" ");
