// A Worker for the tests: the two services of the pricing Worker, a new side that misbehaves on command, and the texts in R2.
import { WorkerEntrypoint } from "cloudflare:workers";

/** Longer than any test waits. */
const LONG_MS = 60_000;

export default {
  async fetch(request, env) {
    if (request.method === "GET") return Response.json(await textsIn(env[new URL(request.url).pathname.slice(1)]));
    const { couponCodeList } = await request.json();
    if (!couponCodeList) return Response.json({ deliveryFee: 70, nationwideConfig: "box" });
    return Response.json({ discounts: couponCodeList.map((coupon) => ({ coupon, discount: 7 })) });
  },
};

/** The texts of a bucket by key. */
async function textsIn(bucket) {
  const texts = {};
  for (const { key } of (await bucket.list()).objects) texts[key] = await (await bucket.get(key)).text();
  return texts;
}

const answer = (text, headers = []) => ({
  status: 200,
  headers,
  body: new TextEncoder().encode(text),
  facts: {},
  policy: {},
  limits: {},
  zones: null,
  isRepeatable: false,
});

const MODES = {
  hangs: () => scheduler.wait(LONG_MS),
  throws: () => {
    throw new Error("the database is down");
  },
  lies: () => answer("<h1>not an order</h1>"),
  nonsense: () => ({ nothing: true }),
  huge: () => answer(`"${"x".repeat(20_000_000)}"`),
  answers: () =>
    answer('{"grandTotal":1}', [
      ["content-type", "application/json"],
      ["x-new", "1"],
    ]),
};

/** What the shadow Worker is bound to in place of the pricing Worker. */
export class Capture extends WorkerEntrypoint {
  fetch(request) {
    return new Response(`fetched: ${request.headers.get("x-new-mode")}`, { status: 299 });
  }

  price(_body, headers) {
    return MODES[new Headers(headers).get("x-new-mode") ?? "answers"]();
  }
}
