// Writes captures to R2, without anybody's data.
import { captureText } from "./redaction/capture.js";
import { Zones } from "./redaction/zones.js";

/** No catalogue has zones twice. */
const MOST_ZONES = 2;

/** To redact a larger order and its answers would keep up the isolate's other clients. */
const MOST_BYTES = 524_288;

/** 64 bits tell the ids of a shop apart. */
const HASH_DIGITS = 16;

/**
 * @param {R2Bucket} bucket
 * @param {{ zones(hash: string): Promise<string | null> }} fresh the pricing Worker
 * @param {{ capturesPerDay: number, redactKey: string }} options
 */
export function createCaptures(bucket, fresh, { capturesPerDay, redactKey }) {
  /** By hash. The oldest first. */
  const zones = new Map([[null, new Zones(null)]]);

  async function zonesOf(hash) {
    if (!zones.has(hash)) {
      const text = await fresh.zones(hash);
      if (text === null) throw new Error("The delivery zones of an order are not in the catalogue any more");
      await putIfAbsent(`zones/${hash}`, text);
      zones.set(hash, new Zones(text));
      if (zones.size > MOST_ZONES + 1) zones.delete([...zones.keys()][1]);
    }
    return zones.get(hash);
  }

  let key; // not its promise: a request must not wait for another's work

  async function hashesOf(ids) {
    key ??= await hmacKey(redactKey);
    const hash = async (id) => hex(await crypto.subtle.sign("HMAC", key, encoder.encode(id))).slice(0, HASH_DIGITS);
    return new Map(await Promise.all(ids.map(async (id) => [id, await hash(id)])));
  }

  const putIfAbsent = (key, text) => bucket.put(key, text, { onlyIf: { etagDoesNotMatch: "*" }, httpMetadata: { contentType: "application/json" } });

  return {
    /**
     * Keeps an order that can be priced again, if the day's slots have room for it.
     * @param {import("./order.js").Order} order
     * @param {{ status: number | null, text?: string }} legacy
     * @param {{ status: number, text: string, code?: string, pricedFrom: object }} answer the new side's
     */
    async keep({ requestId, route, body }, legacy, { pricedFrom, ...answer }) {
      const { facts, policy, limits, zones: hash } = pricedFrom;
      const size = body.length + (legacy.text?.length ?? 0) + answer.text.length;
      if (body.length > limits.maxBodyBytes || size > MOST_BYTES) return;
      const key = `${new Date().toISOString().slice(0, 10)}/${Math.floor(Math.random() * capturesPerDay)}`;
      if ((await bucket.head(key)) !== null) return; // redacting it would be in vain
      const exchange = { requestId, route, order: utf8Of(body), policy, limits, zones: hash, facts, legacy, fresh: answer };
      const text = await captureText(exchange, await zonesOf(hash), hashesOf);
      if (text !== undefined) await putIfAbsent(key, text);
    },
  };
}

const encoder = new TextEncoder();

const hmacKey = (text) => crypto.subtle.importKey("raw", encoder.encode(text), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Undefined if it is none. */
function utf8Of(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
