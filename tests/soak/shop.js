// A Worker for the soak: stores and services of many shops, one shop per order, and a switch that makes them fail.
import { WorkerEntrypoint } from "cloudflare:workers";
import facts from "./facts.js";

/** The part that fails now and how, as in outages.js. */
let outage = {};

async function suffer(part) {
  if (outage.part !== part) return;
  if (outage.hangs) await scheduler.wait(60_000);
  throw new Error("out of order");
}

export default {
  async fetch(request) {
    outage = await request.json();
    return new Response(null, { status: 204 });
  },
};

/** KV: a read of one key or of many. Only price records and vouchers fail, as an order needs them. */
class Store extends WorkerEntrypoint {
  async read(part, texts, keys) {
    if (!Array.isArray(keys)) return texts[keys] ?? null;
    if (!keys[0].startsWith("zones:")) await suffer(part);
    return new Map(keys.map((key) => [key, texts[key] ?? null]));
  }
}

export class Catalogue extends Store {
  get(keys) {
    return this.read("prices", facts.catalogue, keys);
  }
}

export class Vouchers extends Store {
  get(keys) {
    return this.read("vouchers", facts.vouchers, keys);
  }
}

/** A service that answers JSON text, selected by the request. */
async function serve(part, request, answer) {
  const question = await request.json();
  try {
    await suffer(part);
  } catch {
    return new Response("out of order", { status: 503 });
  }
  return new Response(answer(question), { headers: { "content-type": "application/json" } });
}

export class Nationwide extends WorkerEntrypoint {
  fetch(request) {
    return serve("nationwide", request, (query) => facts.rates[`${query.shippingPostcode}/${query.nationwideMode}`]);
  }
}

export class Coupons extends WorkerEntrypoint {
  fetch(request) {
    const allFailed = ({ couponCodeList }) => JSON.stringify({ failedCoupons: couponCodeList });
    return serve("coupons", request, (question) => facts.coupons[question.branchId] ?? allFailed(question));
  }
}
