// Captures and catalogues for `order-cost impact`: the answers are those of the naive model.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FORMAT, hashOf, shardText } from "../../pkg/catalogue/format.js";
import { layerKey, shardKey, zonesKey } from "../../pkg/catalogue/keys.js";
import { layerText } from "../../pkg/catalogue/layer.js";
import { idOf } from "../../pkg/catalogue/manifest.js";
import { price } from "../model/price.js";
import { path } from "./command.js";

/** The model's answer: its text, and its status. */
export function answerTo({ order, policy = {}, limits, zones, facts }) {
  const priced = price({ order, options: { policy, limits }, zones, host: facts });
  return priced.text === undefined
    ? { status: 500, text: JSON.stringify({ error: priced.error }), code: priced.code }
    : { status: 200, ...priced };
}

/** The exact grandTotal of an answer, as text. */
export const totalIn = (text) => /"grandTotal":(-?[\d.]+)/.exec(text)[1];

/**
 * The text of a capture of an order. `zones` are GeoJSON, whose hash is `zonesHash`; `change` changes the captured answer, as
 * another package would have.
 */
export function captureOf(requestId, { order, policy = {}, limits = {}, zones, zonesHash = null, facts }, change = (text) => text) {
  const { status, text, couponRequest } = answerTo({ order, policy, limits, zones, facts });
  const { coupons, ...tables } = facts;
  const recorded = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, mapped(table, textOf)]));
  if (coupons !== undefined) recorded.coupons = [{ ...(couponRequest && { request: couponRequest }), answer: textOf(coupons) }];
  const head = { requestId, route: "calculatecost4", policy, limits, zones: zonesHash, request: order, facts: recorded };
  return `${JSON.stringify(head).slice(0, -1)},"new":{"status":${status},"body":${change(text)}}}`;
}

const textOf = (record) => (record === null || typeof record === "string" ? record : JSON.stringify(record));

const mapped = (table, change) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value)]));

/**
 * Writes a version into a folder of the tests, as `build --out` does.
 * @param {string} name
 * @param {Record<string, string | number>} prices JSON records, or prices, by "<cprcode>/<branchId>"
 * @param {object} [zones] GeoJSON
 * @returns {Promise<{ id: string, zones: string | null }>}
 */
export async function writeCatalogue(name, prices, zones) {
  const texts = new Map();
  const keep = async (keyOf, text) => {
    const hash = await hashOf(text);
    texts.set(keyOf(hash), text);
    return hash;
  };
  const branches = {};
  for (const [branchId, records] of byBranch(prices)) {
    const shard = await keep(shardKey, shardText(records));
    branches[branchId] = {
      records: records.length,
      layers: [await keep(layerKey, layerText({ records: records.length, bytes: 0, shards: [shard] }))],
    };
  }
  const zonesHash = zones === undefined ? null : await keep(zonesKey, JSON.stringify(zones));
  const content = { format: FORMAT, onto: null, zones: zonesHash, zonesFrom: null, bases: {}, branches };
  const manifest = { id: await idOf(content), builtAt: "2026-11-23T08:00:00.000Z", ...content };
  write(name, "manifest.json", JSON.stringify(manifest));
  for (const [key, text] of texts) write(name, key.replace(":", "/"), text);
  return { id: manifest.id, zones: zonesHash };
}

function write(name, file, text) {
  const place = path(join(name, file));
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

function byBranch(prices) {
  const branches = new Map();
  for (const [key, price] of Object.entries(prices)) {
    const [code, branchId] = key.split("/");
    if (!branches.has(branchId)) branches.set(branchId, []);
    branches.get(branchId).push({ cprcode: Number(code), record: typeof price === "string" ? price : `{"price":${price}}` });
  }
  return branches;
}

/** Writes zones beside captures, and returns their hash. */
export async function writeZones(folder, zones) {
  const text = JSON.stringify(zones);
  const hash = await hashOf(text);
  write(folder, join("zones", hash), text);
  return hash;
}
