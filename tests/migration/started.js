// One shop for all tests of the shadow Worker on workerd: it takes longer to start than most of them to run.
import { after, before } from "node:test";
import { startCrumbs } from "../hostile/crumbs.js";
import { send, startShop } from "./shop.js";

const ALL_NEW = "calculatecost2=new,calculatecost3=new,calculatecost4=new";
const CAPTURING = { SHADOW_SHARE: "1", isCapturing: true };

export let crumbs;
export let shop;

before(async () => {
  crumbs = await startCrumbs();
  shop = await startShop({
    legacy: { SHADOW_SHARE: "1", MAX_BODY_BYTES: "20000" },
    new: { SHADOW_SHARE: "1", SERVE: ALL_NEW },
    mixed: { SHADOW_SHARE: "1", SERVE: "calculatecost3=new" },
    none: { SHADOW_SHARE: "0", SERVE: "calculatecost4=new" },
    passed: { SHADOW_SHARE: "0" },
    passedNew: { SHADOW_SHARE: "0", SERVE: ALL_NEW },
    half: { SHADOW_SHARE: "0.5" },
    couponless: { SHADOW_SHARE: "1", SHADOW_COUPONS: "0" },
    fake: { SHADOW_SHARE: "1", isFake: true },
    fakeServes: { SHADOW_SHARE: "1", SERVE: ALL_NEW, isFake: true },
    fakeOnly: { SHADOW_SHARE: "0", SERVE: ALL_NEW, isFake: true },
    keyed: { SHADOW_SHARE: "1", isKeyed: true },
    keyedServes: { SHADOW_SHARE: "1", SERVE: ALL_NEW, isKeyed: true },
    dead: { SHADOW_SHARE: "1", LEGACY_URL: "http://127.0.0.1:9" },
    hasty: { SHADOW_SHARE: "1", ORDER_DEADLINE_MS: "300" },
    crumbsServed: { SHADOW_SHARE: "1", LEGACY_URL: crumbs.url },
    crumbsAsked: { SHADOW_SHARE: "1", LEGACY_URL: crumbs.url, SERVE: ALL_NEW },
    old: CAPTURING,
    fresh: { ...CAPTURING, SERVE: "calculatecost4=new" },
    few: { ...CAPTURING, CAPTURE_PER_DAY: "2" },
  });
});

after(async () => {
  crumbs?.stop();
  await shop?.stop();
});

let count = 0;
export const newId = () => `r-${(count += 1)}`;

/** Sends an order through a shadow Worker. */
export async function post(shadow, content, headers = {}, { route = "calculatecost4", ...options } = {}) {
  const id = headers["x-request-id"] ?? newId();
  const body = typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content);
  const sent = { "x-legacy-mode": "answers", "content-type": "application/json", ...headers, "x-request-id": id };
  return { ...(await send(`${shop.urls[shadow]}/${route}?q=1`, { body, headers: sent, ...options })), id };
}
