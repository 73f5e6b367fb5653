// A Worker for the tests: a service that behaves as it is asked to, and a KV store that the test holds in its hand.
import { WorkerEntrypoint } from "cloudflare:workers";

const json = (status, body) => Response.json(body, { status });

/** By the first coupon code or the postcode that is asked for. */
const BEHAVIOURS = {
  answers: () => json(200, { deliveryFee: 77, discounts: [{ coupon: "answers", discount: 7 }] }),
  ships: () => json(200, { discounts: [{ coupon: "ships", freeshipping: true }] }),
  refuses: () => json(400, { error: "Coupon refuses is for members only" }),
  fails: () => json(500, { error: "Rates are being updated\n    at rates (/srv/rates.js:12:3)" }),
  leaks: () => json(500, { error: "connect ECONNREFUSED 10.1.2.3:8080" }),
  rambles: () => json(500, { error: "ม".repeat(5000) }),
  page: () => new Response("<h1>Bad gateway</h1> upstream 10.1.2.3:8080", { status: 502 }),
  object: () => json(422, { error: { at: "10.1.2.3" } }),
  empty: () => json(503, { error: "" }),
  prose: () => new Response("all fine"),
  moved: () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
  huge: () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
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

let store = { texts: {}, held: false, failure: "" };
let asked = [];
let answered = 0;

export default {
  async fetch(request) {
    if (request.method === "PUT") {
      store = { ...store, ...(await request.json()) };
      asked = [];
      answered = 0;
    }
    if (request.method !== "POST") return json(200, { asked, answered });
    const question = await request.json();
    return BEHAVIOURS[question.couponCodeList?.[0] ?? question.shippingPostcode](request);
  },
};

/** Has KV's two ways to read. */
export class Store extends WorkerEntrypoint {
  async get(keys) {
    asked.push(keys);
    while (store.held) await scheduler.wait(5);
    answered++;
    if (store.failure) throw new Error(store.failure);
    return Array.isArray(keys)
      ? new Map(keys.map((key) => [key, store.texts[key] ?? null]))
      : (store.texts[keys] ?? null);
  }
}
