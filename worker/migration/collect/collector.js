// Sends an order to both sides, and writes what came of it as a capture.
import { REASONS } from "../../src/decisions.js";
import { ask } from "../src/ask.js";
import { MOST_ANSWER_BYTES } from "../src/body.js";
import { exchangeOf } from "../src/captures.js";
import { comparisonOf } from "../src/comparison.js";
import { hasCoupons } from "../src/order.js";
import { Tally } from "./tally.js";

export class Collector {
  #sides;
  #options;
  tally = new Tally();

  constructor(sides, options) {
    this.#sides = sides;
    this.#options = options;
  }

  /** @param {import("./orders-file.js").GivenOrder} given */
  async take({ line, requestId = crypto.randomUUID(), route, body }) {
    if (this.#options.withoutCoupons && hasCoupons(body)) return void (this.tally.leftOut += 1);
    const { legacy, fresh, lines } = this.#sides;
    const order = (headers) => ({ request: requestOf(route, headers), route, requestId, body });
    const sent = order();
    const [old, priced] = await Promise.all([ask(legacy, order(this.#options.header), room()), ask(fresh, sent, room())]);
    const said = lines.of(requestId);
    const { outcome, reason } = comparisonOf(old, priced);
    const notKept = await this.#keep(`${line}`, sent, old, priced, said);
    this.tally.add(line, outcome, failuresOf(reason, old, said), notKept);
  }

  /** Writes a capture, or says why not. */
  async #keep(name, order, old, priced, said) {
    const { captures, fresh } = this.#sides;
    if (!priced.pricedFrom?.isRepeatable) return said ?? `the new side failed: ${priced.reason ?? priced.code}`;
    try {
      const outcome = await captures.write(name, exchangeOf(order, old, priced), () => fresh.zones(priced.pricedFrom.zones));
      return outcome === "written" ? undefined : REASONS[outcome];
    } catch (error) {
      if (error.syscall) throw error; // of the disk
      return error.message;
    }
  }
}

/** It names the route. Each side puts its own address in place of the rest. */
function requestOf(route, given = []) {
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of given) headers.set(name, value);
  return new Request(`http://order/${route}`, { method: "POST", headers });
}

function room(left = MOST_ANSWER_BYTES) {
  return (bytes) => ((left -= bytes) < 0 ? "tooLong" : undefined);
}

function failuresOf(reason, old, said) {
  const ofOld = reason.legacy === "status" ? `status ${old.status}` : reason.legacy;
  const ofNew = reason.new && (said ?? reason.new);
  return [ofOld && `old side: ${ofOld}`, ofNew && `new side: ${ofNew}`].filter(Boolean);
}
