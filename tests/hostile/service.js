// A Worker for the tests: its stores and services answer every request with ordinary records. The postcode `held` waits
// until the test releases it.
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
