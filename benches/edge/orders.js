// The orders that are measured. All of a kind ask the same questions; each turn has other products.
import { largestOrder } from "../../tests/worker/largest-order.js";
import { BRANCHES, codeIn, orderOf } from "./catalogue.js";

export const PICKED_UP = "picked up";
export const DELIVERED = "delivered, 2 coupons, 2 vouchers";
export const LARGEST = "the largest allowed";

/** In a delivery zone of the demo shop. */
const POINT = { lat: 13.7252, lon: 100.5262, brcode: 1000 };

const DELIVERY = {
  ownerId: "malee",
  couponCodeList: ["SAVE20", "SHIP20"],
  voucherId: ["WELCOME100", "REFUND"],
  shipping: {
    shippingType: "DELIVERY",
    shippingLat: POINT.lat,
    shippingLon: POINT.lon,
    brcode: POINT.brcode,
    shippingPostcode: "50200",
    scheduleList: [{ mode: "REGULAR" }, { mode: "NATIONWIDE", nationwideMode: "DRY" }],
  },
};

const KINDS = { [PICKED_UP]: {}, [DELIVERED]: DELIVERY };

/** The body of an order of one branch. */
export function bodyOf(kind, lines, products, turn) {
  if (kind === LARGEST) return largestBody(BRANCHES[0], products, turn);
  return Buffer.from(JSON.stringify({ ...orderOf(lines, products, turn), branchId: BRANCHES[0], ...KINDS[kind] }));
}

/** The body of a largest order; the turns go through the branches. */
export const largestOfTurn = (products, turn) => largestBody(BRANCHES[turn % BRANCHES.length], products, turn);

function largestBody(branchId, products, turn) {
  return largestOrder({ branchId, codeOf: (line) => codeIn(products, line * 7_001 + turn * 13_007), point: POINT });
}

/** Sends a body; gives the bytes of the answer. */
export async function send(url, body) {
  const response = await fetch(url, { method: "POST", body });
  const answer = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${answer.subarray(0, 200)}`);
  return answer;
}

/** Prices an order; gives the bytes of the answer. */
export const price = (workerd, body, isolate) => send(`${workerd.url(isolate)}/calculatecost4`, body);

/** The module's memory in an isolate of tests/hostile, in bytes. */
export const moduleBytesOf = async (workerd) => Number(await (await fetch(workerd.url())).text());
