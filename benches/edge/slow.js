// A Worker for the benchmark: a KV store that takes 10 ms for a read, and services that take 30 ms for an answer.
import { WorkerEntrypoint } from "cloudflare:workers";

const READ_MS = 10;
const SERVICE_MS = 30;
const ANSWER = '{"deliveryFee":45,"discounts":[],"failedCoupons":[]}';

const texts = new Map();
let counts = { reads: 0, keys: 0, bytes: 0 };

export default {
  async fetch(request) {
    if (request.method === "POST") {
      await scheduler.wait(SERVICE_MS);
      return new Response(ANSWER);
    }
    if (request.method === "PUT") for (const [key, text] of await request.json()) texts.set(key, text);
    const counted = counts;
    counts = { reads: 0, keys: 0, bytes: 0 };
    return Response.json(counted);
  },
};

/** Supports both ways to read from KV. */
export class Store extends WorkerEntrypoint {
  async get(keys) {
    const many = Array.isArray(keys) ? keys : [keys];
    const found = new Map(many.map((key) => [key, texts.get(key) ?? null]));
    counts.reads += 1;
    counts.keys += many.length;
    for (const text of found.values()) counts.bytes += text?.length ?? 0;
    await scheduler.wait(READ_MS);
    return Array.isArray(keys) ? found : found.get(keys);
  }
}
