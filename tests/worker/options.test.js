import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "../../worker/src/options.js";

test("nothing set: the package's defaults, zones every 300 s, no access rules", () => {
  for (const env of [{}, { BASE_PATH: "", DEADLINE_MS: " ", ALLOWED_ORIGINS: "", API_KEY: undefined }]) {
    assert.deepEqual(readOptions(env), {
      routes: { basePath: undefined, maxBodyBytes: undefined },
      pricer: {
        policy: { rowTotal: undefined, freeShipping: undefined },
        deadlineMs: undefined,
        limits: { maxBodyBytes: undefined, maxProducts: undefined },
      },
      services: { nationwideUrl: undefined, couponsUrl: undefined },
      zones: { refreshMs: 300_000, deadlineMs: 5000 },
      access: { allowedOrigins: [], apiKey: undefined },
    });
  }
});

test("everything set, as texts or as JSON numbers", () => {
  const options = readOptions({
    BASE_PATH: "/shop/api",
    ROW_TOTAL: "list",
    FREE_SHIPPING: "waivesDelivery",
    DEADLINE_MS: 0,
    MAX_BODY_BYTES: "2000",
    MAX_PRODUCTS: "10",
    ZONES_REFRESH_SECONDS: "0",
    NATIONWIDE_URL: "https://rates.example/v1?key=1",
    COUPONS_URL: "http://127.0.0.1:8080",
    ALLOWED_ORIGINS: "https://shop.example, http://localhost:3000",
    API_KEY: "s3cret",
  });
  assert.deepEqual(options, {
    routes: { basePath: "/shop/api", maxBodyBytes: 2000 },
    pricer: {
      policy: { rowTotal: "list", freeShipping: "waivesDelivery" },
      deadlineMs: 0,
      limits: { maxBodyBytes: 2000, maxProducts: 10 },
    },
    services: { nationwideUrl: "https://rates.example/v1?key=1", couponsUrl: "http://127.0.0.1:8080" },
    zones: { refreshMs: 0, deadlineMs: 0 },
    access: { allowedOrigins: ["https://shop.example", "http://localhost:3000"], apiKey: "s3cret" },
  });
});

for (const [name, text, expected] of [
  ["BASE_PATH", "/api?x=1", "a path"],
  ["ROW_TOTAL", "Effective", "one of effective, list"],
  ["FREE_SHIPPING", "true", "one of asStated, waivesDelivery"],
  ["DEADLINE_MS", "soon", "an integer of 0 or more"],
  ["DEADLINE_MS", "-1", "an integer of 0 or more"],
  ["DEADLINE_MS", "1e999", "an integer of 0 or more"],
  ["MAX_BODY_BYTES", "0", "an integer of 1 or more"],
  ["MAX_PRODUCTS", "1.5", "an integer of 1 or more"],
  ["ZONES_REFRESH_SECONDS", "5 min", "an integer of 0 or more"],
  ["NATIONWIDE_URL", "rates.example", "an http or https URL"],
  ["COUPONS_URL", "ftp://coupons.example", "an http or https URL"],
  ["ALLOWED_ORIGINS", "https://shop.example/", "origins like https://shop.example, or *"],
]) {
  test(`${name}=${text} is refused`, () => {
    assert.throws(() => readOptions({ [name]: text }), {
      message: `Variable ${name}: expected ${expected}, got ${JSON.stringify(text)}`,
    });
  });
}
