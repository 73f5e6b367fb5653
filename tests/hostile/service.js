// A Worker for the tests: stores and services that answer whatever they are asked with ordinary records, but for a postcode
// that waits as long as the test wants it to.
import { WorkerEntrypoint } from "cloudflare:workers";

const RECORD = '{"price":19.75,"weight":0.5,"ownerId":"malee","value":7.25,"isActive":true,"isUsed":false}';

let isHolding = false;

export class Store extends WorkerEntrypoint {
  async get(keys) {
    return Array.isArray(keys) ? new Map(keys.map((key) => [key, RECORD])) : null;
  }
}

export default {
  async fetch(request) {
    const { holding, couponCodeList, shippingPostcode } = await request.json();
    if (holding !== undefined) isHolding = holding;
    while (shippingPostcode === "held" && isHolding) await scheduler.wait(10);
    return Response.json(couponCodeList ? { failedCoupons: couponCodeList } : { deliveryFee: 60 });
  },
};
