// The measurements in one process, the same in Node and in a browser.
import { compareOrders } from "order-cost/compare";
import { COMPETITORS } from "../competitors/index.js";
import { measure } from "../measure/index.js";
import { EDIT, prepareEdits } from "./edits.js";
import { promisingHost, readyHost, sendingHost } from "./hosts.js";
import { SETS, work, zonesText } from "./work.mjs";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * @typedef {import("./work.mjs").Item} Item
 * @typedef {Item & { response: string, parsed?: unknown, modes?: string[] }} PricedItem `parsed` and `modes` keep what a floor
 *   calculated first
 * @typedef {{
 *   responses(set: string, count: number): string[] | Promise<string[]>,
 *   time(set: string, count: number): Promise<number>,
 * }} Core
 *
 * @param {typeof import("order-cost").createPricer} createPricer
 * @param {object} options
 * @param {number} options.budgetMs milliseconds for each set
 * @param {Record<string, Core>} [options.cores] the core itself, by compilation target
 * @param {(line: string) => void} options.log
 */
export async function runSuite(createPricer, { budgetMs, cores = {}, log }) {
  const options = { deliveryZones: zonesText() };
  const pricers = {
    ours: await createPricer(readyHost, options),
    promised: await createPricer(promisingHost, options),
    sent: await createPricer(sendingHost, options),
    competitors: COMPETITORS.map(({ name, createPricer }) => ({ name, pricer: createPricer(readyHost, options) })),
  };
  const sets = {};
  for (const { name, lines, coupons } of SETS) {
    const items = work(lines, coupons);
    log(`${name} lines: comparing outputs`);
    const hash = await verify(pricers, items);
    for (const [core, { responses }] of Object.entries(cores)) same(core, hash, await hashOf(await responses(name, items.length)));
    log(`${name} lines: timing`);
    /** @type {PricedItem[]} */
    const priced = [];
    for (const item of items) priced.push({ ...item, response: await textFrom(pricers.ours, item) });
    const edit = await prepareEdits(createPricer, items, options.deliveryZones);
    const samples = await measure(
      entrants(pricers, edit, (core) => core.time(name, items.length), cores),
      priced,
      budgetMs,
    );
    const bytes = { in: mean(items.map(({ body }) => body.length)), out: mean(priced.map(responseBytes)) };
    sets[name] = { lines, coupons, orders: items.length, hash, bytes, samples };
  }
  return sets;
}

/** @param {Item} item */
const callOf = ({ answers }) => ({ context: answers });
/** @param {PricedItem} item */
const responseBytes = ({ response }) => encoder.encode(response).length;
const mean = (values) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

function entrants({ ours, promised, sent, competitors }, edit, time, cores) {
  const inObjects = (name) => {
    const { pricer } = competitors.find((competitor) => competitor.name === name);
    return { name: `${name}, objects`, run: (item) => pricer.calculate(item.order, callOf(item)) };
  };
  return [
    { name: "calculateJson", run: (item) => ours.calculateJson(item.body, callOf(item)) },
    { name: "calculateJson, host of promises", run: (item) => promised.calculateJson(item.body, callOf(item)) },
    { name: "calculateJson, coupon request sent", run: (item) => sent.calculateJson(item.body, callOf(item)) },
    { name: "V8 floor", run: floor },
    { name: "V8 floor without records", run: floorWithoutRecords },
    ...competitors.map(({ name, pricer }) => ({ name, run: (item) => pricer.calculateJson(item.body, callOf(item)) })),
    { name: "calculate", run: (item) => ours.calculate(item.order, callOf(item)) },
    { name: "calculate's floor", run: ({ order, response }) => [JSON.stringify(order), JSON.parse(response)] },
    inObjects("floats"),
    inObjects("decimal.js"),
    { name: EDIT, run: edit },
    ...Object.entries(cores).map(([name, core]) => ({ name, time: () => time(core) })),
  ];
}

// ---------------------------------------------------------------- the floor: V8's JSON alone, without pricing

/** The minimum for any JavaScript that reads everything and answers. `item.parsed` stands in for its response. @param {PricedItem} item */
function floor(item) {
  const { prices, rates, vouchers, coupons } = item.answers;
  for (const record of prices) JSON.parse(record);
  for (const mode of modesOf(item)) JSON.parse(rates[mode]);
  for (const voucher of vouchers) JSON.parse(voucher);
  if (item.order.couponCodeList.length > 0) JSON.parse(coupons);
  return floorWithoutRecords(item);
}

/** @param {PricedItem} item */
function floorWithoutRecords(item) {
  JSON.parse(decoder.decode(item.body));
  item.parsed ??= JSON.parse(item.response);
  return encoder.encode(JSON.stringify(item.parsed));
}

/** @param {PricedItem} item */
function modesOf(item) {
  const nationwide = item.order.shipping.scheduleList.filter(({ mode }) => mode === "NATIONWIDE");
  item.modes ??= [...new Set(nationwide.map(({ nationwideMode }) => nationwideMode))];
  return item.modes;
}

// ---------------------------------------------------------------- all give the same answer

/** Throws unless all entrants give the same responses. Returns their SHA-256. */
async function verify({ ours, promised, competitors }, items) {
  const texts = await Promise.all(items.map(async (item) => decoder.decode(await ours.calculateJson(item.body, callOf(item)))));
  const hash = await hashOf(texts);
  const exact = { "calculateJson, host of promises": (item) => textFrom(promised, item) };
  exact.calculate = async (item) => JSON.stringify(await ours.calculate(item.order, callOf(item)));
  for (const { name, pricer } of competitors) exact[name] = (item) => textFrom(pricer, item);
  const { floats, ...others } = exact;
  for (const [name, run] of Object.entries(others)) same(name, hash, await hashOf(await Promise.all(items.map(run))));
  for (const [index, item] of items.entries()) close("floats", texts[index], await floats(item));
  return hash;
}

const textFrom = async (pricer, item) => decoder.decode(await pricer.calculateJson(item.body, callOf(item)));

function same(name, expected, hash) {
  if (hash !== expected) throw new Error(`${name} gives other responses than calculateJson`);
}

/** Floats may differ by less than half a satang. */
export function close(name, expected, text) {
  const far = compareOrders(expected, text).find(({ kind }) => kind !== "underHalfSatang" && kind !== "numberFormat");
  if (far) throw new Error(`${name} gives other responses than calculateJson: ${JSON.stringify(far)}`);
}

async function hashOf(texts) {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(texts.join("\n")));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
