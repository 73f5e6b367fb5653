import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { allAtNight } from "../effort.js";
import { bundle, startWorkerd } from "../worker/workerd.js";
import { legacyAnswer } from "./double/legacy.js";
import { chosen, readWanted } from "./double/wanted.js";
import { startMigration } from "./migration.js";
import { eventually } from "./shop.js";
import { shopCase, shopOrder } from "./shop-orders.js";

const LIST = "rowTotal:0.5,floats:0.5,errorTexts";
const HEADER = "x-legacy-differences";

describe("the legacy double on workerd", () => {
  let migration;
  let url;
  before(async () => {
    migration = await startMigration({ shadows: {}, differences: LIST });
    await migration.seed();
    url = await migration.url("legacy");
  });
  after(() => migration?.stop());

  const send = (body, headers = {}, route = "calculatecost4") => fetch(`${url}/${route}`, { method: "POST", body, headers });

  it("answers from the shop's stores and services, with the differences of its variable, on each route", async () => {
    const made = new Set();
    for (let number = 1; number <= allAtNight(24, 60); number += 1) {
      const order = shopOrder(number);
      const body = JSON.stringify(order);
      const expected = legacyAnswer(shopCase(order), chosen(readWanted(LIST), body));
      const response = await send(body, {}, `calculatecost${2 + (number % 3)}`);
      const answer = {
        status: response.status,
        body: await response.text(),
        made: response.headers.get(HEADER).split(",").filter(Boolean),
      };
      assert.deepEqual(answer, expected, order.orderId);
      expected.made.forEach((name) => made.add(name));
    }
    assert.deepEqual([...made].sort(), ["errorTexts", "floats", "rowTotal"]);
  });

  it("takes an order's own list, also an empty one", async () => {
    const order = shopOrder(2);
    for (const names of [[], ["keys28", "satang"]]) {
      const response = await send(JSON.stringify(order), { [HEADER]: names.join() });
      assert.equal(await response.text(), legacyAnswer(shopCase(order), names).body);
    }
  });

  it("tells the services no request id that a client may not choose", async () => {
    const order = shopOrder(2);
    const asked = () => migration.logs.filter((line) => line.includes('"service":"coupons"')).length;
    const before = asked();
    await send(JSON.stringify({ ...order, couponCodeList: ["X"] }), { "x-request-id": "081 234 5678" });
    await eventually(() => asked() > before, "the coupon service's line");
    assert.ok(!migration.logs.join("\n").includes("081 234 5678"));
  });

  it("is down, hangs or answers a page, as an order wants", async () => {
    const ask = (mode, signal) =>
      fetch(`${url}/calculatecost4`, { method: "POST", body: "{}", headers: { "x-legacy-mode": mode }, signal });
    assert.equal((await ask("down")).status, 500);
    await assert.rejects(ask("hang", AbortSignal.timeout(300)), { name: "TimeoutError" });
    const page = await ask("html");
    assert.deepEqual([page.status, page.headers.get("content-type"), await page.text()], [502, "text/html", "<h1>502 Bad Gateway</h1>"]);
    const wrong = await ask("dead");
    assert.deepEqual([wrong.status, await wrong.json()], [400, { error: "x-legacy-mode: expected down, hang, html" }]);
  });

  it("refuses a list that it does not know", async () => {
    const response = await send("{}", { [HEADER]: "rowtotal" });
    assert.equal(response.status, 400);
    assert.match((await response.json()).error, /^x-legacy-differences: unknown difference "rowtotal": expected rowTotal, /);
  });

  it("refuses what is no order, as the specification says", async () => {
    const plain = { [HEADER]: "" };
    for (const body of ["{", new Uint8Array([0x7b, 0xff, 0x7d])]) {
      const response = await send(body, plain);
      assert.deepEqual([response.status, await response.json()], [500, { error: "Failed to parse request body" }]);
    }
    assert.equal((await send("{}", plain, "calculatecost5")).status, 404);
    assert.equal((await fetch(`${url}/calculatecost4`)).status, 405);
  });
});

it("the legacy double does not start with a wrong list", async () => {
  const legacy = await bundle("tests/migration/double/wrangler.jsonc");
  const { kvNamespaces, serviceBindings, ...alone } = legacy;
  await assert.rejects(startWorkerd([{ ...alone, bindings: { DIFFERENCES: "float" } }]), /unknown difference "float"/);
});
