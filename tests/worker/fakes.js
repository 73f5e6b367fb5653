// A Worker for the tests: a service that behaves on command, and a KV store under the test's control.
import { WorkerEntrypoint } from "cloudflare:workers";

const encoder = new TextEncoder();

const json = (status, body) => Response.json(body, { status });

/** Behaviours, by the first coupon code or by the postcode. */
const BEHAVIOURS = {
  complains: () => json(200, { discounts: [], error: { message: "Campaign 7 is over for malee.planted@example.com" } }),
  lies: () => json(200, { deliveryFee: -5, discounts: [{ coupon: "lies", discount: -5 }] }),
  freshHangs: (request, { nationwideMode }) => (nationwideMode === "FRESH" ? scheduler.wait(LONG_MS) : json(200, { deliveryFee: 1 })),
  nowhere: () => json(200, null),
  seen: () => json(200, { deliveryFee: 1 }),
  answers: () => json(200, { deliveryFee: 77, discounts: [{ coupon: "answers", discount: 7 }] }),
  ships: () => json(200, { discounts: [{ coupon: "ships", freeshipping: true }] }),
  refuses: () => json(400, { error: "Coupon refuses is for members only" }),
  declines: () => json(422, { error: "Nothing of this kind in April" }),
  fails: () => json(500, { error: "Rates are being updated\n    at rates (/srv/rates.js:12:3)" }),
  leaks: () => json(500, { error: "connect ECONNREFUSED 10.1.2.3:8080" }),
  rambles: () => json(500, { error: "ม".repeat(5000) }),
  page: () => new Response("<h1>Bad gateway</h1> upstream 10.1.2.3:8080", { status: 502 }),
  object: () => json(422, { error: { at: "10.1.2.3" } }),
  empty: () => json(503, { error: "" }),
  prose: () => new Response("all fine"),
  moved: () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
  huge: () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
  large: () => json(200, { discounts: [], error: { padding: "x".repeat(10_000_000) } }),
  largeFailure: () => json(500, { error: "x".repeat(10_000_000) }),
  stalls: () => {
    const { readable, writable } = new TransformStream();
    const body = writable.getWriter();
    body.write(encoder.encode("{")).catch(() => {});
    setTimeout(() => body.abort(), LONG_MS);
    return new Response(readable);
  },
  throws: () => {
    throw new Error("connect ECONNREFUSED 10.1.2.3:8080");
  },
  async hangs(request) {
    request.signal.addEventListener("abort", () => console.log("the service was aborted"));
    console.log("the service was asked");
    await scheduler.wait(5000);
    return json(200, {});
  },
};

/**
 * How the store behaves, and what it was asked since the test last changed that. `only` limits `held`, `hanging` and
 * `failure` to keys that begin with it; `hanging` reads are the next ones, which never end.
 */
let store = { texts: {}, only: "", held: false, hanging: 0, failure: "", delayMs: 0 };
let asked = [];
let answered = 0;
/** What the services were told about each order, and how often somebody asked whether they are there. */
let headers = [];
let probed = 0;

export default {
  async fetch(request) {
    if (request.method === "PUT") {
      store = { ...store, ...(await request.json()) };
      asked = [];
      answered = 0;
      headers = [];
      probed = 0;
    }
    if (request.url === "https://service/" && request.method === "GET") probed += 1;
    if (request.method !== "POST") return json(200, { asked, answered, headers, probed });
    const question = await request.json();
    asked.push(question);
    headers.push({ requestId: request.headers.get("x-request-id"), traceparent: request.headers.get("traceparent") });
    return BEHAVIOURS[question.couponCodeList?.[0] ?? question.shippingPostcode](request, question);
  },
};

/** Supports both ways to read from KV. */
export class Store extends WorkerEntrypoint {
  async get(keys) {
    asked.push(keys);
    if (store.delayMs > 0) await scheduler.wait(store.delayMs);
    if ([keys].flat().some((key) => key.startsWith(store.only))) await suffer();
    answered++;
    return Array.isArray(keys)
      ? new Map(keys.map((key) => [key, store.texts[key] ?? null]))
      : (store.texts[keys] ?? null);
  }
}

/** A service that nobody reaches, and one that never answers. */
export class Dead extends WorkerEntrypoint {
  fetch() {
    throw new Error("connect ECONNREFUSED 10.1.2.3:8080");
  }
}
export class Silent extends WorkerEntrypoint {
  async fetch() {
    await scheduler.wait(LONG_MS);
  }
}

/** A rate limiter that fails. */
export class Limiter extends WorkerEntrypoint {
  limit() {
    throw new Error("rate limiter: internal error");
  }
}

async function suffer() {
  if (store.hanging-- > 0) await scheduler.wait(LONG_MS);
  while (store.held) await scheduler.wait(5);
  if (store.failure) throw new Error(store.failure);
}

/** Another KV: `modes` and the names of vouchers say how a key fails; other vouchers have a record. */
export class Failing extends WorkerEntrypoint {
  async get(keys) {
    if (!Array.isArray(keys)) return store.texts[keys] ?? null;
    if (keys.length > 100) throw new Error(`KV GET_BULK failed: 400 You can request a maximum of 100 keys`);
    const modes = keys.map((key) => store.modes?.[key] ?? key);
    const isAny = (mode) => modes.some((of) => of.endsWith(mode));
    if (isAny("throws")) throw new Error("KV GET failed: 503 from 10.1.2.3");
    if (isAny("hangs")) await scheduler.wait(LONG_MS);
    if (isAny("slow")) await scheduler.wait(100);
    return new Map(keys.map((key) => [key, key.startsWith("voucher:") ? voucherOf(key) : (store.texts[key] ?? null)]));
  }
}

/** Longer than any test waits. A promise that never settles would not do: workerd ends such a request itself. */
const LONG_MS = 30_000;

const VOUCHER = JSON.stringify({ ownerId: "U1", value: 10, isActive: true, isUsed: false });

function voucherOf(key) {
  if (key.endsWith("missing")) return null;
  return key.endsWith("corrupt") ? VOUCHER.slice(0, -1) : VOUCHER;
}
