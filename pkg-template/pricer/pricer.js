import {
  answerBytes,
  calculateNow,
  calculateSoon,
  explainJson,
  hides,
  INPUTS,
  instanceId,
  invalidOption,
  keysOf,
  lending,
  notPlain,
  pricingError,
  Refusal,
  refuseMisspeltHost,
  refuseUnknown,
  refusing,
  responseBytes,
  responseView,
  withLastingMemory,
  withoutUnknown,
  withPricingErrors,
} from "../core/index.js";
import { encoded, jsonText } from "../shared/index.js";
import { Pricing, requestId } from "../wasm/order_cost.js";
import { FactStore, Facts } from "./facts.js";
import { pricedOrder } from "./rows.js";
import { ZonesQuestion } from "./zones.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const EXPLAINED = true;

const parsedResponse = (job) => JSON.parse(decoder.decode(responseView(job)));

/** Prices orders: `Pricer` of calculate.d.ts, and all of `Pricer` in index.d.ts but the baskets. */
export class Pricer {
  /** The host and its deadline, and the question for the delivery zones if the options have a function for them. */
  #sources;
  #options;
  /** The text of the delivery zones, once they are known. */
  #zones;
  #pricing;
  #maxBodyBytes;
  /** Whether its orders may have values of another type (D49). */
  #isLenient;
  #instance;
  /**
   * Tells the baskets that the zones have changed.
   * @type {(pricing: InstanceType<typeof Pricing>, isAnswer: boolean) => void}
   */
  #onZones = () => {};

  constructor(host, given) {
    refusing(() => refuseMisspelt(host, given), requestId);
    const { deliveryZones, module: _, ...options } = given;
    this.#options = jsonText(options);
    const isFunction = typeof deliveryZones === "function";
    this.#sources = { host, zones: isFunction ? this.#questionFor(deliveryZones) : undefined };
    this.#make();
    if (!isFunction && deliveryZones !== undefined) this.setDeliveryZones(deliveryZones);
  }

  async calculate(order, call) {
    return calculateSoon(...this.#ofObject(order, call, this.#takeObject(call)));
  }

  calculateNow(order, call) {
    return calculateNow(...this.#ofObject(order, call, this.#takeObject(call)));
  }

  async calculateJson(body, call) {
    return calculateSoon(...this.#ofBytes(body, call, responseBytes));
  }

  calculateJsonNow(body, call) {
    return calculateNow(...this.#ofBytes(body, call, responseBytes));
  }

  async explain(order, call) {
    return calculateSoon(...this.#ofObject(order, call, parsedResponse, EXPLAINED));
  }

  async [explainJson](body, call) {
    return calculateSoon(...this.#ofBytes(body, call, responseBytes, EXPLAINED));
  }

  static {
    /** @this {Pricer} */
    Pricer.prototype.calculateJson[lending] = function (body, call, take) {
      return calculateSoon(...this.#ofBytes(body, call, (job) => take(responseView(job))));
    };
  }

  facts(known, options) {
    return new FactStore(this.#sources, known, options);
  }

  /**
   * What baskets and the checks of orders need of their pricer. `onZones` is called with the `Pricing` when the zones have
   * changed, and whether somebody has asked for them. Only the whole package calls it.
   * @param {Pricer} pricer
   * @param {(pricing: InstanceType<typeof Pricing>, isAnswer: boolean) => void} onZones
   */
  static forBaskets(pricer, onZones) {
    pricer.#onZones = onZones;
    return {
      factsOf: (store) => (store === undefined ? new Facts(pricer.#sources) : pricer.#factsOf(store)),
      pricing: () => pricer.#current(),
      read: (job, { text, unwritable }) => pricer.#start(job, encoded(text), undefined, unwritable),
      quoteNow: (next, call, facts) => calculateNow(...pricer.#ofObject(next, call, pricer.#takeObject(call), false, facts)),
      quote: (next, call, facts) => calculateSoon(...pricer.#ofObject(next, call, pricer.#takeObject(call), false, facts)),
    };
  }

  setDeliveryZones(zones) {
    if (hides(zones, () => ["type", "features"])) throw pricingError(notPlain("deliveryZones"), requestId());
    const written = typeof zones === "string" ? { text: zones, unwritable: false } : jsonText(zones);
    this.#current();
    this.#load(written);
    this.#know(written, false);
  }

  #questionFor(load) {
    return new ZonesQuestion({
      load,
      take: (written) => this.#takeAnswer(written),
      pricing: () => this.#current(),
      deadlineMs: () => this.#sources.deadlineMs,
    });
  }

  #takeAnswer(written) {
    const pricing = this.#current();
    const bytes = answerBytes(written.text);
    const isRight = withPricingErrors(undefined, () => withLastingMemory(this, () => pricing.answerZones(bytes, written.unwritable)));
    if (isRight) this.#know(written, true);
  }

  /** The zones are loaded. */
  #know(written, isAnswer) {
    this.#zones = written;
    this.#sources.zones?.end();
    this.#onZones(this.#current(), isAnswer);
  }

  #factsOf(store) {
    return FactStore.factsOf(store, this.#sources);
  }

  /** A lenient order has values that stand nowhere in its text, so that rows cannot be built from it. */
  #takeObject(call) {
    return (job, text) => (this.#accepts(call) ? parsedResponse(job) : pricedOrder(job, text));
  }

  /** Whether an order may have values of another type (D49). */
  #accepts(call) {
    const input = call?.input;
    if (input === undefined) return this.#isLenient;
    if (INPUTS.includes(input)) return input === "lenient";
    throw invalidOption("input", `expected one of ${INPUTS.join(", ")}`);
  }

  /**
   * What `calculate` takes for an order that is an object. `facts`: those of a basket, vouchers included, in place of those of
   * a store.
   */
  #ofObject(order, call, take, isExplained, facts) {
    const written = jsonText(order);
    const start = (job) =>
      withoutUnknown(written, order, ({ text, unwritable }) => {
        this.#start(job, encoded(text), call, unwritable, isExplained);
      });
    const options = { written, take: (job) => take(job, written.text) };
    return this.#withFacts(start, call, options, facts);
  }

  #ofBytes(body, call, take, isExplained) {
    return this.#withFacts((job) => this.#start(job, bytesOf(body), call, false, isExplained), call, { take });
  }

  /** @returns {[start: (job: any) => void, sources: any, call: object, options: any]} */
  #withFacts(start, call, options, ofBasket) {
    const given = call ?? {};
    if (!ofBasket && given.facts === undefined) return [start, this.#sources, given, options];
    const facts = () => ofBasket ?? this.#factsOf(given.facts);
    const recall = (job) => facts().recall(job, ofBasket !== undefined);
    return [start, this.#sources, given, { ...options, recall, tell: (job) => facts().hear(job) }];
  }

  #start(job, body, call, unwritable, isExplained = false) {
    const isLenient = this.#accepts(call);
    const pricing = this.#current();
    // One byte over the limit shows the module that a body is too large. It needs no copy of the rest.
    const sent = body.length > this.#maxBodyBytes ? body.subarray(0, this.#maxBodyBytes + 1) : body;
    job.start((raw) => pricing.start(raw, sent, unwritable, isExplained, isLenient));
  }

  /** The pricing in the current instance, made again from the options and zones if the last instance was replaced. */
  #current() {
    if (this.#instance !== instanceId()) this.#make();
    return this.#pricing;
  }

  #make() {
    const { text, unwritable } = this.#options;
    const bytes = encoder.encode(text);
    const asksForZones = this.#sources.zones !== undefined;
    this.#pricing = withPricingErrors(this.#options, () => new Pricing(bytes, unwritable, asksForZones));
    this.#sources.deadlineMs = this.#pricing.deadlineMs;
    this.#maxBodyBytes = this.#pricing.maxBodyBytes;
    this.#isLenient = this.#pricing.isLenient;
    this.#instance = instanceId();
    if (this.#zones) this.#load(this.#zones);
  }

  #load(zones) {
    // Encodes outside the entry: there the error for a text that is too large does not count as damage.
    const bytes = encoder.encode(zones.text);
    withPricingErrors(zones, () => withLastingMemory(this, () => this.#pricing.setDeliveryZones(bytes, zones.unwritable)));
  }
}

/** The bytes of a body. */
function bytesOf(body) {
  if (typeof body === "string") return encoded(body);
  try {
    if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
    if (isBuffer(body)) return new Uint8Array(body);
  } catch {
    // Its bytes have been transferred to somebody else, or it is a revoked proxy.
  }
  const message = "Invalid order: body: expected a string, an ArrayBuffer or a view of one";
  throw new Refusal({ code: "VALIDATION_ERROR", message, path: "body", retryable: false });
}

/** Recognises a buffer from another realm, too, which `instanceof` misses. */
const isBuffer = (body) => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body));

/** D47. The module itself drops unknown keys, as those of an order. */
function refuseMisspelt(host, options) {
  refuseMisspeltHost(host);
  refuseUnknown(options, [...keysOf("options"), "deliveryZones", "module"]);
  refuseUnknown(options.policy, keysOf("policy"), "policy.");
  refuseUnknown(options.limits, keysOf("limits"), "limits.");
}
