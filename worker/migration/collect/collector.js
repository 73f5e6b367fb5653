// Sends an order to both sides, and writes what came of it as a capture.
import { isOfSystem, messageOf } from "../../command-line/index.js";
import { REASONS } from "../../src/captures/index.js";
import { ask, hasCoupons, MOST_ANSWER_BYTES } from "../sides/index.js";
import { comparisonOf, exchangeOf } from "../src/index.js";
import { Tally } from "./tally.js";

/**
 * @typedef {import("../sides/ask.js").Answer} Answer
 * @typedef {import("../sides/order.js").Order} Order
 *
 * @typedef {object} Sides
 * @property {import("../sides/ask.js").Side} legacy
 * @property {Awaited<ReturnType<typeof import("./new-side.js").startNewSide>>} fresh
 * @property {ReturnType<typeof import("../../src/captures/captures.js").createCaptures>} captures
 * @property {import("./order-lines.js").OrderLines} lines those of the new side
 */

export class Collector {
  #sides;
  #options;
  tally = new Tally();

  /**
   * @param {Sides} sides
   * @param {{ header: [string, string][], withoutCoupons?: boolean }} options
   */
  constructor(sides, options) {
    this.#sides = sides;
    this.#options = options;
  }

  /** @param {import("./orders-file.js").GivenOrder} given */
  async take({ line, requestId = crypto.randomUUID(), route, body }) {
    if (this.#options.withoutCoupons && hasCoupons(body)) return void (this.tally.leftOut += 1);
    const { legacy, fresh, lines } = this.#sides;
    const sent = { request: requestOf(route), route, requestId, body };
    const withHeaders = { ...sent, request: requestOf(route, this.#options.header) };
    const [old, priced] = await Promise.all([ask(legacy, withHeaders, room()), ask(fresh, sent, room())]);
    const said = lines.of(requestId);
    const { outcome, reason } = comparisonOf(old, priced);
    const notKept = await this.#keep(`${line}`, sent, old, priced, said);
    this.tally.note(line, reason.legacy !== "unreachable");
    this.tally.add(line, outcome, failuresOf(reason, old, said), notKept);
  }

  /**
   * Writes a capture, or says why not.
   * @param {string} name
   * @param {Order} order
   * @param {Answer} old
   * @param {Answer} priced
   * @param {string | undefined} said by the new side
   */
  async #keep(name, order, old, priced, said) {
    const { captures, fresh } = this.#sides;
    const { pricedFrom } = priced;
    if (!pricedFrom?.isRepeatable) return said ?? `the new side failed: ${priced.reason ?? priced.code}`;
    try {
      const outcome = await captures.write(name, exchangeOf(order, old, { ...priced, pricedFrom }), () => fresh.zones(pricedFrom.zones));
      return outcome === "written" ? undefined : REASONS[outcome];
    } catch (error) {
      if (isOfSystem(error)) throw error; // of the disk
      return messageOf(error);
    }
  }
}

/**
 * It names the route. Each side puts its own address in place of the rest.
 * @param {string} route
 * @param {[string, string][]} [given] headers
 */
function requestOf(route, given = []) {
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of given) headers.set(name, value);
  return new Request(`http://order/${route}`, { method: "POST", headers });
}

/** @returns {import("../sides/body.js").Room} */
function room(left = MOST_ANSWER_BYTES) {
  return (bytes) => ((left -= bytes) < 0 ? "tooLong" : undefined);
}

/**
 * @param {import("../src/comparison.js").Comparison["reason"]} reason
 * @param {Answer} old
 * @param {string | undefined} said by the new side
 */
function failuresOf(reason, old, said) {
  const ofOld = reason.legacy === "status" ? `status ${old.status}` : reason.legacy;
  const ofNew = reason.new && (said ?? reason.new);
  return [...(ofOld ? [`old side: ${ofOld}`] : []), ...(ofNew ? [`new side: ${ofNew}`] : [])];
}
