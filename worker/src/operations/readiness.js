import { checkZones } from "order-cost/data";
import { msSince, tooLate, within } from "order-cost/internal";

/** How long a probe waits, and how long its result holds. */
const PROBE_MS = 2_000;
const KEPT_MS = 5_000;

/**
 * Says whether this isolate can price orders, and what is lost. It asks at most once in 5 seconds, whoever calls.
 *
 * @param {ReturnType<typeof import("../service/connected-catalogue.js").connectCatalogue>} catalogue
 * @param {Partial<Record<string, import("../service/service.js").Probe>>} parts what to ask
 *   beside the catalogue; an absent part is not missed
 * @param {(work: Promise<unknown>) => void} hold
 * @returns {() => Promise<{ fault?: string, degraded: Record<string, string> }>} `fault`: why no order is answered
 */
export function createReadiness(catalogue, { access, ...parts }, hold) {
  let latest = { at: -Infinity, faults: {} };
  /** The probe under way: others wait for it, each with a timer of its own, because its request may be ended. */
  let underWay = { begunAt: -Infinity };
  /** The zones that have been checked: to check them takes as long as hundreds of orders. */
  let checked = {};

  const probes = { access, zones: readZones, ...parts };

  async function readZones() {
    await catalogue.current();
    const { version } = catalogue.state();
    if (!version) return;
    const text = await version.deliveryZones();
    if (checked.hash !== version.zones) {
      checked = { hash: version.zones }; // first: zones that take all of a request's CPU time must not end each request
      checked.fault = faultOf(checkZones(text));
    }
    if (checked.fault) throw new Error(checked.fault);
  }

  /** What is wrong with a part; undefined if it is there. */
  async function faultOfPart(ask) {
    const patience = new AbortController();
    try {
      await inTime(ask(patience.signal));
    } catch (error) {
      return /** @type {Error} */ (error).message;
    } finally {
      patience.abort();
    }
  }

  async function probe() {
    const asked = Object.entries(probes).filter(([, ask]) => ask);
    const faults = await Promise.all(asked.map(async ([name, ask]) => [name, await faultOfPart(ask)]));
    latest = { at: Date.now(), faults: Object.fromEntries(faults.filter(([, fault]) => fault)) };
  }

  /** Looks at the parts, unless that was done lately. */
  async function refresh() {
    if (msSince(latest.at) < KEPT_MS) return;
    if (msSince(underWay.begunAt) >= PROBE_MS) {
      underWay = { begunAt: Date.now(), end: probe() };
      hold(underWay.end);
    }
    await within(PROBE_MS, underWay.end, () => {});
  }

  return async function ready() {
    await refresh();
    // The catalogue as it is now: an order may have found it since.
    const { version, fault } = catalogue.state();
    if (!version) return { fault, degraded: {} };
    const { access: closed, ...degraded } = latest.faults;
    if (closed) return { fault: `The access check: ${closed}`, degraded: {} };
    return { degraded: fault ? { catalogue: fault, ...degraded } : degraded };
  };
}

/** @param {import("order-cost/data").ZoneFault[]} faults */
const faultOf = ([fault]) => {
  if (!fault) return undefined;
  const place = fault.path === "" ? "" : `${fault.path}: `;
  return `Invalid deliveryZones: ${place}expected ${fault.expected}`;
};

const inTime = (answer) => within(PROBE_MS, answer, tooLate(PROBE_MS));
