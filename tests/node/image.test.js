// `docker compose up` in worker/, on a container engine where there is one, else as the same steps on this machine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { freePorts } from "../ports.js";
import { startShop } from "./compose.js";
import { hasEngine, startShopOnEngine } from "./engine.js";

const seed = (name) => JSON.parse(readFileSync(new URL(`../../worker/seed/${name}`, import.meta.url), "utf8"));
const engine = hasEngine();

describe(`the demo shop ${engine ? "in containers" : "as its containers would run"}`, () => {
  let shop;
  before(async () => {
    shop = engine ? startShopOnEngine(await freePorts()) : await startShop();
  });
  after(() => shop?.stop());

  for (const file of ["orders/pickup.json", "orders/nationwide.json", "orders/regular.json"]) {
    it(`prices ${file} behind the page`, async () => {
      const { status, body } = await order(seed(file));
      assert.equal(status, 200);
      assert.deepEqual({ grandTotal: body.grandTotal }, seed("orders.json").find((each) => each.file === file).outcome);
    });
  }

  it("asks the services for coupons and vouchers", async () => {
    const { body } = await order(seed("orders/coupons-and-vouchers.json"));
    assert.equal(body.validVouchers.length, 2);
    assert.ok(body.discountResult.discounts.length > 0);
  });

  it("shows the page, with the package and the prices that it loads", async () => {
    for (const [path, type] of Object.entries({ "/": "text/html", "/order-cost/inline.js": "text/javascript", "/catalogue/current": "" })) {
      const { status, headers } = await fetch(`${shop.page}${path}`);
      assert.equal(status, 200, path);
      assert.ok((headers.get("content-type") ?? "").startsWith(type), path);
    }
  });

  // An engine asks for health itself, and knows no more of an end than the exit code.
  if (!engine) {
    it("keeps prices that are there when it is filled again", () => shop.runAgain("fill"));

    it("ends each service by the stop signal with exit code 0, and is not healthy then", async () => {
      await shop.end();
      assert.equal(shop.health("service"), 1);
      assert.equal(shop.health("page"), 1);
    });
  }

  async function order(body) {
    const response = await fetch(`${shop.page}/calculatecost4`, { method: "POST", body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  }
});
