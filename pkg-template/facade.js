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
        throw new PricingError({ code: "INTERNAL", message, retryable: true, cause }, uuid());
      },
    );
    return loading;
  }

  async function createPricer(host, options) {
    await preload();
    return new Pricer(host, options ?? {});
  }

  return { createPricer, preload };
}

class Pricer {
  #host;
  #pricing;

  constructor(host, { deliveryZones, ...options }) {
    this.#host = host;
    const written = jsonText(options);
    this.#pricing = named(written, () => new Pricing(encoder.encode(written.text), written.unwritable));
    if (deliveryZones !== undefined) this.setDeliveryZones(deliveryZones);
  }

  async calculate(order, call) {
    const written = jsonText(order);
    const response = await this.#price(() => encoder.encode(written.text), written, call);
    return JSON.parse(decoder.decode(response));
  }

  async calculateJson(body, call) {
    return this.#price(() => bytesOf(body), AS_SENT, call);
  }

  setDeliveryZones(zones) {
    const written = typeof zones === "string" ? { ...AS_SENT, text: zones } : jsonText(zones);
    named(written, () => this.#pricing.setDeliveryZones(written.text, written.unwritable));
  }

  async #price(bytes, written, call) {
    let context;
    let job;
    try {
      context = new Context(call ?? {});
      context.throwIfAborted();
      job = this.#pricing.start(bytes(), written.unwritable);
      return await drive(job, this.#host, context, this.#pricing.deadlineMs);
    } catch (thrown) {
      const error = pricingError(withCause(thrown, written), context?.requestId ?? call?.requestId ?? requestId());
      context?.abort(error);
      throw error;
    } finally {
      context?.end();
      release(job);
    }
  }
}

/** Text and bytes are taken as they are. */
const AS_SENT = { unwritable: false };

/** What is neither text nor bytes is no JSON: no bytes. */
function bytesOf(body) {
  if (typeof body === "string") return encoder.encode(body);
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array();
}

/** Where an object could not be written as JSON, why that was is the cause of what came of it. */
function withCause(thrown, written) {
  return "thrown" in written ? { ...thrown, cause: written.thrown } : thrown;
}

/** Frees a job, unless a trap has left it in use: that error counts, not this one. */
function release(job) {
  try {
    job?.free();
  } catch {
    // The instance is damaged, and the calculation has said so.
  }
}

/** Runs what is no calculation and throws PricingErrors all the same. */
function named(written, run) {
  try {
    return run();
  } catch (thrown) {
    throw pricingError(withCause(thrown, written), requestId());
  }
}

/** A version 4 UUID while there is no module to make one; `crypto.randomUUID` is missing on plain http pages. */
function uuid() {
  const random = crypto.getRandomValues(new Uint8Array(16));
  random[6] = (random[6] & 0x0f) | 0x40;
  random[8] = (random[8] & 0x3f) | 0x80;
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
