// `order-cost replay`
import { hostFromFacts } from "order-cost/testing";
import { member, numberValue, readExact } from "../exact-json.js";
import { readAccepted } from "./accepted.js";
import { captureFiles, capturesOf, zonesFile } from "./captures.js";
import { comparePair } from "./compare-pair.js";
import { CONTEXT_HOST } from "./context-host.js";
import { reasonNamed } from "./explain/explain.js";
import { Failure, sentence } from "./failure.js";
import { Findings } from "./findings.js";
import { withIds } from "./ids.js";
import { Ignored } from "./ignored.js";
import { readText } from "./input.js";
import { refuseOverwriting } from "./output.js";
import { progress } from "./progress.js";
import { printReport, warn } from "./report.js";
import { isWithin, limitSentence } from "./share.js";
import { sourceOf } from "./source.js";

/** Prices captured orders again and compares with what one side answered. Returns the exit code. */
export async function replay(names, { against, accept, ids, matchRows, maxDifferent, format, examples, ...options }) {
  const files = await captureFiles(names);
  await refuseOverwriting(ids, [...files, accept].filter(Boolean));
  const accepted = accept && (await readAccepted(accept));
  const ignored = new Ignored(options.ignore, options.ignorePath);
  const findings = new Findings({ ignored, accepted, examples });
  const pricers = new Pricers(await import("order-cost")); // not at once: `--help` needs no module
  const source = await sourceOf(files);
  await withIds(ids, async (write) => {
    const bar = progress(source, { isQuiet: false });
    try {
      for (const file of files) {
        for await (const capture of capturesOf(file, against, source.onRead)) {
          const comparison = await naming(capture, async () => compareCapture(capture, await pricers.price(file, capture), matchRows));
          if (findings.add(capture.requestId, capture.place, comparison)) await write(capture.requestId);
          bar.update(findings.orders);
        }
        source.next();
      }
    } finally {
      bar.stop();
    }
    if (findings.orders === 0) throw new Failure(`${names.join(", ")}: no captures in it`);
  });
  warn(ignored.unused());
  const found = findings.report();
  const sides = { left: SIDES[against], right: "this version", noun: "capture" };
  const report = { ...sides, limit: limitSentence(found, maxDifferent), matchRows: matchRows ?? null, ...found };
  await printReport(report, format);
  return isWithin(report, maxDifferent) ? 0 : 1;
}

/** How a report names the captured side. */
const SIDES = { legacy: "old", new: "captured" };

/** Whatever goes wrong with a capture, the error says which one it is. */
async function naming({ place }, compare) {
  try {
    return await compare();
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${place}: ${sentence(error)}`);
  }
}

/** Compares the captured answer, left, with this version's, right. A status counts if it was captured. */
function compareCapture(captured, priced, matchRows) {
  const known = () => ({ isRightOurs: true, recordOf: recordsOf(captured, priced.text), lacksFacts: lacksFacts(captured, priced) });
  const statuses = captured.status === undefined ? [] : [captured.status, priced.status];
  const comparison = comparePair(captured.body, priced.text, { matchRows, known, statuses });
  if (statuses[0] === statuses[1] || comparison.differences.some(({ kind }) => kind === "failed")) return comparison;
  const why = { reasons: [reasonNamed("errorStatus")], roots: [] }; // both failed
  const status = { path: "status", field: "status", kind: "value", left: numberValue(captured.status), right: numberValue(priced.status), ...why };
  return { ...comparison, differences: [status, ...comparison.differences] };
}

/** Whether the captured order failed, and this version asked for something that the facts do not hold. */
function lacksFacts({ body, facts }, { calls }) {
  const holds = {
    lookupPrices: (keys) => keys.every(({ cprcode, branchId }) => has(facts.prices, `${cprcode}/${branchId}`, `${cprcode}`)),
    lookupVouchers: (ids) => ids.every((id) => has(facts.vouchers, id)),
    nationwideRate: ({ shippingPostcode, nationwideMode }) => has(facts.rates, `${shippingPostcode}/${nationwideMode}`, nationwideMode),
    validateCoupons: () => facts.coupons !== undefined && facts.coupons.length > 0,
  };
  return /^\s*\{\s*"error"\s*:\s*"/.test(body) && calls.some(({ name, argument }) => !holds[name](argument));
}

const has = (table = {}, ...keys) => keys.some((key) => Object.hasOwn(table, key));

/** Returns a function that finds the price record of a row in the facts. */
function recordsOf({ facts }, text) {
  const branch = JSON.parse(text).branchId;
  return (row) => {
    const code = `${member(row, "cprcode")}`.slice(1);
    const record = facts.prices[`${code}/${branch}`] ?? facts.prices[code];
    return record === undefined ? undefined : readExact(record);
  };
}

/** Pricers by their options and zones. The facts are each order's own. */
class Pricers {
  #package;
  #pricers = new Map();

  constructor(orderCost) {
    this.#package = orderCost;
  }

  /** Prices a captured order: `{ status, text, calls }`, an error as in HTTP; `calls` are those that it was priced from, or that failed. */
  async price(file, capture) {
    const pricer = await this.#pricerFor(file, capture);
    const body = capture.request.startsWith('"') ? JSON.parse(capture.request) : capture.request;
    const host = hostFromFacts(capture.facts);
    try {
      const bytes = await pricer.calculateJson(body, { requestId: capture.requestId, context: host });
      return { status: 200, text: `${Buffer.from(bytes)}`, calls: host.calls };
    } catch (error) {
      if (!(error instanceof this.#package.PricingError)) throw error;
      const calls = host.calls.filter(({ name }) => name === ASKED[error.code]);
      return { status: 500, text: JSON.stringify(error), calls };
    }
  }

  async #pricerFor(file, { place, zones, policy, limits }) {
    const zonesName = zones === null ? undefined : await zonesFile(file, zones);
    const key = JSON.stringify([zonesName, policy, limits]);
    if (!this.#pricers.has(key)) {
      if (this.#pricers.size === MOST_PRICERS) this.#pricers.delete(this.#pricers.keys().next().value);
      this.#pricers.set(key, await this.#create(place, { zonesName, policy, limits }));
    }
    return this.#pricers.get(key);
  }

  async #create(place, { zonesName, policy = "{}", limits = "{}" }) {
    const deliveryZones = zonesName && (await readText(zonesName));
    const options = { deadlineMs: 0, policy: JSON.parse(policy) ?? {}, limits: JSON.parse(limits) ?? {} };
    try {
      return await this.#package.createPricer(CONTEXT_HOST, { ...options, ...(deliveryZones && { deliveryZones }) });
    } catch (error) {
      throw new Failure(`${place}: ${error.message}`);
    }
  }
}

/** The most pricers at once: each holds its zones. */
const MOST_PRICERS = 16;

/** The look-up that a failure is about: answers to the others came too late to be recorded. */
const ASKED = {
  PRODUCT_PRICE_NOT_FOUND: "lookupPrices",
  PRICE_LOOKUP_FAILED: "lookupPrices",
  NATIONWIDE_RATE_FAILED: "nationwideRate",
  NATIONWIDE_RATE_NOT_FOUND: "nationwideRate",
  VOUCHER_NOT_FOUND: "lookupVouchers",
  VOUCHER_LOOKUP_FAILED: "lookupVouchers",
  COUPON_SERVICE_FAILED: "validateCoupons",
};
