import { Context } from "./context.js";
import { PricingError, pricingError } from "./error.js";
import { drive } from "./job.js";
import { jsonText } from "./json.js";
import { Pricing, requestId } from "./wasm/order_cost.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The package's entry, over a loader that makes the module ready. */
export function facade(load) {
  let loading;

  function preload() {
    loading ??= load().then(
      () => {},
      (cause) => {
        // The next call tries again.
        loading = undefined;
        const message = `Could not load the WebAssembly module of order-cost: ${cause?.message ?? cause}`;
        throw new PricingError({ code: "INTERNAL", message, retryable: true, cause }, crypto.randomUUID());
      },
    );
    return loading;
  }

  async function createPricer(host, options = {}) {
    await preload();
    return new Pricer(host, options);
  }

  return { createPricer, preload };
}

class Pricer {
  #host;
  #pricing;

  constructor(host, { deliveryZones, ...options }) {
    this.#host = host;
    const { text, unwritable } = jsonText(options);
    this.#pricing = named(() => new Pricing(encoder.encode(text), unwritable));
    if (deliveryZones !== undefined) this.setDeliveryZones(deliveryZones);
  }

  async calculate(order, call) {
    const { text, unwritable, thrown } = jsonText(order);
    const response = await this.#price(encoder.encode(text), unwritable, thrown, call);
    return JSON.parse(decoder.decode(response));
  }

  async calculateJson(body, call) {
    return this.#price(bytesOf(body), false, undefined, call);
  }

  setDeliveryZones(zones) {
    const { text, unwritable } = typeof zones === "string" ? { text: zones, unwritable: false } : jsonText(zones);
    named(() => this.#pricing.setDeliveryZones(text, unwritable));
  }

  /** `unreadable` is what an order threw that could not be written as JSON. */
  async #price(body, unwritable, unreadable, call) {
    const context = new Context(call ?? {});
    let job;
    try {
      context.throwIfAborted();
      job = this.#pricing.start(body, unwritable);
      return await drive(job, this.#host, context, this.#pricing.deadlineMs);
    } catch (thrown) {
      const facts = unreadable === undefined ? thrown : { ...thrown, cause: unreadable };
      const error = pricingError(facts, context.requestId);
      context.abort(error);
      throw error;
    } finally {
      context.end();
      job?.free();
    }
  }
}

/** What is neither text nor bytes is no JSON: no bytes. */
function bytesOf(body) {
  if (typeof body === "string") return encoder.encode(body);
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array();
}

/** Runs what is no calculation and throws PricingErrors all the same. */
function named(run) {
  try {
    return run();
  } catch (thrown) {
    throw pricingError(thrown, requestId());
  }
}
