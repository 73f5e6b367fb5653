// A Worker for the tests: its voucher store and services answer every request with ordinary records. The postcode `held` waits
// until the test releases it.
import { WorkerEntrypoint } from "cloudflare:workers";

const RECORD = '{"ownerId":"malee","value":7.25,"isActive":true,"isUsed":false}';

let isHolding = false;

export class Store extends WorkerEntrypoint {
  async get(keys) {
    return new Map(keys.map((key) => [key, RECORD]));
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
