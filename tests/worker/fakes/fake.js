// A service that behaves on command, and a store under the test's control. on-workerd.js and on-node.js put them behind
// what the platform asks: bindings there, HTTP here.

const encoder = new TextEncoder();

const json = (status, body) => Response.json(body, { status });

/** Longer than any test waits. A promise that never settles would not do: workerd ends such a request itself. */
const LONG_MS = 30_000;

/** A fake that still waits does not keep a process of Node alive. */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref?.());

export const silence = () => pause(LONG_MS);

/** Behaviours, by the first coupon code or by the postcode. */
const BEHAVIOURS = {
  complains: () => json(200, { discounts: [], error: { message: "Campaign 7 is over for malee.planted@example.com" } }),
  lies: () => json(200, { deliveryFee: -5, discounts: [{ coupon: "lies", discount: -5 }] }),
  freshHangs: ({ nationwideMode }) => (nationwideMode === "FRESH" ? silence() : json(200, { deliveryFee: 1 })),
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
  large: () => json(200, { discounts: [], error: { padding: "x".repeat(2_000_000) } }),
  largeFailure: () => json(500, { error: "x".repeat(2_000_000) }),
  stalls: () => {
    const { readable, writable } = new TransformStream();
    const body = writable.getWriter();
    body.write(encoder.encode("{")).catch(() => {});
    void silence().then(() => body.abort());
    return new Response(readable);
  },
  throws: () => {
    throw new Error("connect ECONNREFUSED 10.1.2.3:8080");
  },
  hangs: silence,
};

const VOUCHER = JSON.stringify({ ownerId: "U1", value: 10, isActive: true, isUsed: false });

export class Fake {
  /**
   * How the store behaves. `only` limits `held`, `hanging` and `failure` to keys that begin with it; `hanging` reads are
   * the next ones, which never end. `modes` say for `readFailing` how a key fails.
   */
  #store = { texts: {}, modes: {}, only: "", held: false, hanging: 0, failure: "", delayMs: 0 };
  /** What happened since the test last changed that. */
  #seen;

  constructor() {
    this.control({});
  }

  control(change) {
    Object.assign(this.#store, change);
    this.#seen = { asked: [], headers: [], probed: 0, begun: 0, aborted: 0 };
  }

  /**
   * `asked`: what the store and the services were asked; a text that is named by its content stands in a list. `headers`:
   * what the services were told about each order. `probed`: how often somebody asked whether they are there. `begun` and
   * `aborted` are calls of the services.
   */
  get state() {
    return this.#seen;
  }

  /** As a service. @param {Request} request */
  async answer(request) {
    const seen = this.#seen;
    if (request.method !== "POST") {
      seen.probed += 1;
      return json(200, {});
    }
    seen.begun += 1;
    request.signal.addEventListener("abort", () => (seen.aborted += 1));
    const question = await request.json();
    seen.asked.push(question);
    seen.headers.push({ requestId: request.headers.get("x-request-id"), traceparent: request.headers.get("traceparent") });
    return BEHAVIOURS[question.couponCodeList?.[0] ?? question.shippingPostcode](question);
  }

  /** As a store. @param {string | string[]} keys */
  async read(keys) {
    const store = this.#store;
    this.#seen.asked.push(keys);
    if (store.delayMs > 0) await pause(store.delayMs);
    if ([keys].flat().some((key) => key.startsWith(store.only))) await this.#suffer();
    return [keys].flat().map((key) => store.texts[key] ?? null);
  }

  async #suffer() {
    const store = this.#store;
    if (store.hanging-- > 0) await silence();
    while (store.held) await pause(5);
    if (store.failure) throw new Error(store.failure);
  }

  /** As a store in which `modes` and the names of vouchers say how a key fails. Other vouchers have a record. */
  async readFailing(keys) {
    const { texts, modes } = this.#store;
    const isAny = (mode) => [keys].flat().some((key) => (modes[key] ?? key).endsWith(mode));
    if (isAny("throws")) throw new Error("KV GET failed: 503 from 10.1.2.3");
    if (isAny("hangs")) await silence();
    if (isAny("slow")) await pause(100);
    return [keys].flat().map((key) => (key.startsWith("voucher:") ? voucherOf(key) : (texts[key] ?? null)));
  }
}

function voucherOf(key) {
  if (key.endsWith("missing")) return null;
  return key.endsWith("corrupt") ? VOUCHER.slice(0, -1) : VOUCHER;
}
