import { Fault, invalidZones } from "./fault.js";
import { member, NotJson, readJson } from "./json.js";
import { readers } from "./values.js";

/** D35: the zones of a GeoJSON FeatureCollection (an object or its text), and which of them covers a point. */

const fail = (path, what) => {
  throw invalidZones(path, what);
};
const { amount, integer, text, list } = readers(fail);

export function readZones(zones) {
  const root = zonesJson(zones);
  if (root.type !== "object") fail("", "expected an object");
  if (member(root, "type")?.value !== "FeatureCollection") fail("type", "expected FeatureCollection");
  return list(readFeature)(need(root, "features", "features"), "features");
}

/** The fault of the zones, or null. */
export function zonesFault(zones) {
  try {
    readZones(zones);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

function zonesJson(zones) {
  try {
    return readJson(typeof zones === "string" ? zones : JSON.stringify(zones));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return fail("", "expected JSON");
  }
}

function need(node, name, path) {
  const value = member(node, name);
  if (!value || value.type === "null") fail(path, "required");
  return value;
}

function readFeature(node, path) {
  if (node.type !== "object") fail(path, "expected an object");
  if (member(node, "type")?.value !== "Feature") fail(`${path}.type`, "expected Feature");
  const polygons = readGeometry(need(node, "geometry", `${path}.geometry`), `${path}.geometry`);
  const properties = readProperties(need(node, "properties", `${path}.properties`), `${path}.properties`);
  return { polygons, ...properties };
}

function readProperties(node, path) {
  if (node.type !== "object") fail(path, "expected an object");
  const deliveryFee = amount(need(node, "deliveryFee", `${path}.deliveryFee`), `${path}.deliveryFee`);
  const brcode = integer(need(node, "brcode", `${path}.brcode`), `${path}.brcode`);
  const name = member(node, "name");
  if (name && name.type !== "null") text(name, `${path}.name`);
  return { deliveryFee, brcode };
}

function readGeometry(node, path) {
  if (node.type !== "object") fail(path, "expected an object");
  const place = `${path}.coordinates`;
  switch (member(node, "type")?.value) {
    case "Polygon":
      return [readPolygon(need(node, "coordinates", place), place)];
    case "MultiPolygon":
      return readPolygons(need(node, "coordinates", place), place);
    default:
      return fail(`${path}.type`, "expected one of Polygon, MultiPolygon");
  }
}

function readPolygons(node, path) {
  const polygons = list(readPolygon)(node, path);
  if (polygons.length === 0) fail(path, "expected at least 1 polygon");
  return polygons;
}

/** The outer ring, then the holes. */
function readPolygon(node, path) {
  const rings = list(readRing)(node, path);
  if (rings.length === 0) fail(path, "expected at least 1 ring");
  return rings;
}

function readRing(node, path) {
  if (node.type === "array" && node.items.length < 4) fail(path, "expected at least 4 positions");
  const ring = list(readPosition)(node, path);
  const first = ring[0];
  const last = ring.at(-1);
  if (first.x !== last.x || first.y !== last.y) fail(path, "expected a closed ring");
  return ring;
}

function readPosition(node, path) {
  if (node.type !== "array" || node.items.length < 2) fail(path, "expected a position");
  const [longitude, latitude] = node.items;
  return point(coordinate(longitude, 180, `${path}[0]`, "a longitude"), coordinate(latitude, 90, `${path}[1]`, "a latitude"));
}

function coordinate(node, limit, path, name) {
  const value = node.type === "number" ? Number(node.raw) : NaN;
  if (!(Math.abs(value) <= limit)) fail(path, `expected ${name} between -${limit} and ${limit}`);
  return value;
}

/** A point with exact coordinates, made from two doubles. */
export function point(longitude, latitude) {
  return { x: exact(longitude), y: exact(latitude) };
}

/** A double × 2^1074 is always an integer. */
function exact(double) {
  let doublings = 0;
  while (!Number.isInteger(double)) {
    double *= 2;
    doublings += 1;
  }
  return BigInt(double) << BigInt(1074 - doublings);
}

/** @typedef {ReturnType<typeof point>} Point */

/** A zone covers a point on or inside the outer ring that is strictly inside no hole. */
export function covers(zone, p) {
  const has = (ring) => onRing(ring, p) || withinRing(ring, p);
  return zone.polygons.some(([outer, ...holes]) => has(outer) && holes.every((hole) => onRing(hole, p) || !has(hole)));
}

function edges(ring) {
  return ring.slice(1).map((end, index) => [ring[index], end]);
}

/**
 * Twice the signed area of a, b, p: positive if p lies left of the line from a to b, 0 if p lies on it.
 * @param {Point[]} edge from a to b
 * @param {Point} p
 */
function side([a, b], p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

function onRing(ring, p) {
  return edges(ring).some(([a, b]) => between(a.x, p.x, b.x) && between(a.y, p.y, b.y) && side([a, b], p) === 0n);
}

function between(a, value, b) {
  return a <= b ? a <= value && value <= b : b <= value && value <= a;
}

/** The ring winds round p: a ray to the east crosses more edges of one direction than of the other. (p is on no edge.) */
function withinRing(ring, p) {
  const crossed = edges(ring).filter(([a, b]) => {
    if (a.y > p.y === b.y > p.y) return false;
    return b.y > a.y === side([a, b], p) > 0n;
  });
  const turns = crossed.map(([a, b]) => (b.y > a.y ? 1 : -1));
  return turns.reduce((sum, turn) => sum + turn, 0) !== 0;
}
