// The decision log: captures of priced orders, so that a price can be explained afterwards.
import { moduleSha256, msSince, within } from "order-cost/internal";
import manifest from "order-cost/package.json" with { type: "json" };
import { errorText, log } from "../log/index.js";
import { isOrdersOwn } from "../orders/index.js";
import { createCaptures } from "./captures.js";
import { createFirstFree } from "./first-free.js";

/** A client that has a key asks with it for a capture of its order. */
const CAPTURE_HEADER = "x-order-cost-capture";

/** Failures that are a fault of ours, or of our data. */
const OURS = new Set(["INTERNAL", "OVERFLOW"]);

/** Each that waits holds an order and its answer; on Node also one of the threads that read files. */
const MOST_WAITING = 2;

/**
 * To redact an order takes as long as to price five, and the others wait meanwhile. Nobody has asked for these, so they come one
 * at a time, this far apart: 20 a second.
 */
const UNASKED_APART_MS = 50;

/** How long an order waits for the store before its line is written. */
const STORE_MS = 5_000;

/** How often a slot is looked for that another isolate takes meanwhile. */
const MOST_TRIES = 5;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * @param {import("./captures.js").CaptureStore} store
 * @param {{ sample: number, perDay: number, redactKey: string, policy: object, limits: Limits, input: object, abandonsWork?: boolean }} options
 *   `input` by route; `abandonsWork`: the runtime may end a capture without a word, so that one which takes very long counts no more
 *
 * @typedef {import("./redaction/capture-text.js").Exchange["limits"]} Limits
 */
export function createDecisions(store, { sample, perDay, redactKey, policy, limits, input, abandonsWork = false }) {
  const captures = createCaptures(store, redactKey);
  const firstFree = createFirstFree(captures.isFree, perDay);
  /** When each began. */
  const waiting = new Map();
  const isTooSoon = { sampled: createPace(), failed: createPace() };
  const dropped = createDropped();

  function isFull() {
    if (abandonsWork) for (const [capture, since] of waiting) if (msSince(since) > 2 * STORE_MS) waiting.delete(capture);
    return waiting.size >= MOST_WAITING;
  }

  /** The name of a free slot; undefined if there is none. */
  async function slotOf(kind) {
    const folder = `${new Date().toISOString().slice(0, 10)}/${kind}`;
    if (kind !== "sampled") return firstFree(folder);
    // Random, and given up if it is taken: so the captures of a day are a sample of the whole day.
    const slot = `${folder}/${Math.floor(Math.random() * perDay)}`;
    return perDay > 0 && (await captures.isFree(slot)) ? slot : undefined;
  }

  async function write(order, kind) {
    await new Promise((resolve) => setTimeout(resolve)); // the answer goes out first
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const name = await slotOf(kind);
      if (name === undefined) return kind === "sampled" ? undefined : { reason: "the day's captures are full" };
      const outcome = await captures.write(name, exchangeOf(order, { policy, limits, input }), () => order.version.deliveryZones());
      if (outcome === "written") return { name };
      if (outcome !== "taken") return { reason: REASONS[outcome] };
      if (kind === "sampled") return undefined;
    }
    return { reason: "other captures took its place" };
  }

  async function inTurn(order, kind) {
    const turn = {};
    waiting.set(turn, Date.now());
    // A store that hangs keeps its turn: the next capture would hang, too.
    const work = write(order, kind).finally(() => waiting.delete(turn));
    try {
      return await within(STORE_MS, work, () => ({ fault: `No answer within ${STORE_MS} ms` }));
    } catch (error) {
      return { fault: errorText(error) };
    }
  }

  return {
    /**
     * Why an order is captured; undefined if it is not.
     * @param {import("../orders/order.js").Order} order one that has ended
     * @returns {"failed" | "requested" | "sampled" | undefined}
     */
    kindOf(order) {
      const { error } = order.outcome;
      if (order.isShadow) return undefined;
      if (OURS.has(error?.code)) return "failed";
      if (order.key !== undefined && order.request.headers.get(CAPTURE_HEADER) === "1") return "requested";
      return !error && Math.random() < sample ? "sampled" : undefined;
    },

    /**
     * Captures an order that has ended. Never rejects.
     * @param {import("../orders/order.js").Order} order
     * @param {"failed" | "requested" | "sampled"} kind
     * @returns {Promise<{ name?: string, reason?: string, fault?: string } | undefined>} where the capture is, or why there is
     *   none: a `fault` is one of the store. Undefined: others have the place of an order of the sample
     */
    async capture(order, kind) {
      const { error } = order.outcome;
      if (error && !isOrdersOwn(error) && kind !== "failed") return { reason: NOT_ITS_OWN[error.code] ?? NOT_ITS_OWN.LOOKUP };
      if (order.recording.body === undefined && error?.code !== "INVALID_JSON") return { reason: REASONS.unread };
      if (isFull()) return kind === "sampled" ? dropped() : { reason: `${MOST_WAITING} other captures wait` };
      if (!isTooSoon[kind]?.()) return inTurn(order, kind);
      return kind === "sampled" ? dropped() : { reason: `another was captured within ${UNASKED_APART_MS} ms` };
    },
  };
}

/** Whether the last one was not so long ago. */
function createPace() {
  let last = -Infinity;
  return () => {
    const isTooSoon = msSince(last) < UNASKED_APART_MS;
    if (!isTooSoon) last = Date.now();
    return isTooSoon;
  };
}

/**
 * One line a minute says how many orders of the sample were dropped: a line for each would cost more than the captures. The
 * first is told at once, the last ones with the next drop: no timer outlives an order in a Worker.
 * @returns {() => undefined}
 */
function createDropped() {
  let count = 0;
  let toldAt = -Infinity;
  return () => {
    count += 1;
    if (msSince(toldAt) < 60_000) return;
    log("warn", "decisions", { message: "Orders of the sample were not captured: there were too many at once", orders: count });
    [count, toldAt] = [0, Date.now()];
  };
}

/** Failures that the order alone does not bring about again. */
const NOT_ITS_OWN = {
  ABORTED: "its client has gone",
  DEADLINE_EXCEEDED: "it was not priced in time",
  LOOKUP: "a look-up failed, so nothing could price it again",
};

/** Why an order has no capture, by what `write` of captures/captures.js says; `unread` is the log's own. */
export const REASONS = {
  unread: "its body was not read to the end",
  tooLarge: "it is too large",
  notRepeatable: "without anybody's data, nothing could price it again",
};

function exchangeOf({ request, version, outcome, recording }, { policy, limits, input }) {
  const { requestId, route, status, error } = outcome;
  return {
    requestId,
    hidesRequestId: request.headers.get("x-request-id") === requestId,
    route,
    body: recording.body ?? encoder.encode(""),
    input: input[route],
    policy,
    limits,
    pricedBy: { dataVersion: version?.id ?? null, package: manifest.version, module: moduleSha256 },
    zones: version?.zones ?? null,
    facts: recording.facts,
    fresh: error
      ? { status, text: JSON.stringify({ error: error.message }), code: error.code }
      : { status, text: decoder.decode(recording.priced) },
  };
}
