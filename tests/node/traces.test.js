// Spans of orders by OpenTelemetry, at a collector of the test.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { until } from "../until.js";
import { killAll, startProgram } from "./program.js";
import { price, remove, shopFolder, startService, WITH_COUPON } from "./shop.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const REFUSING = { NODE_OPTIONS: `--import=${new URL("refuse-telemetry.js", import.meta.url)}` };

let folder;
let coupons;
before(async () => {
  folder = await shopFolder();
  coupons = await startService(() => ({ discounts: [{ coupon: "C1", discount: 5 }] }));
});
after(() => remove(folder));
afterEach(killAll);

const start = (variables) => startProgram({ CATALOGUE_DIR: folder, COUPONS_URL: coupons.url, ...variables });

test("an order is a span below the client's, and its services are below the order", async () => {
  const collector = await startService(() => ({}));
  const program = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "50" });
  const { status, headers } = await price(await program.url, WITH_COUPON, { traceparent: `00-${TRACE}-${PARENT}-01` });
  assert.equal(status, 200);
  await until("it has arrived", () => collector.asked.length > 0);
  const [{ url, body }] = collector.asked;
  assert.equal(url, "/v1/traces");
  const [{ resource, scopeSpans }] = body.resourceSpans;
  const [span] = scopeSpans.flatMap(({ spans }) => spans);
  assert.deepEqual([span.name, span.traceId, span.parentSpanId], ["order", TRACE, PARENT]);
  const valuesOf = ({ attributes }) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  assert.equal(valuesOf(resource)["service.name"], "order-cost");
  const values = valuesOf(span);
  assert.deepEqual([values["http.response.status_code"], values["order_cost.lines"]].map(Number), [200, 1]);
  assert.equal(values["order_cost.data_version"], headers.get("x-order-cost-data"));
  assert.equal(coupons.asked.at(-1).headers.traceparent, `00-${TRACE}-${span.spanId}-01`);
});

test("what has not been sent is sent when the service ends", async () => {
  const collector = await startService(() => ({}));
  const program = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await price(await program.url, WITH_COUPON);
  program.child.kill("SIGTERM");
  assert.equal((await program.ended).code, 0);
  assert.equal(collector.asked.length, 1);
});

test("a collector that is not there costs no order and prints nothing", async () => {
  const program = start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_BSP_SCHEDULE_DELAY: "50" });
  for (let time = 0; time < 5; time += 1) assert.equal((await price(await program.url, WITH_COUPON)).status, 200);
  assert.deepEqual(program.errors, []);
});

test("without an endpoint no module of OpenTelemetry is loaded", async () => {
  assert.equal((await price(await start(REFUSING).url, WITH_COUPON)).status, 200);
  const refused = start({ ...REFUSING, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  await assert.rejects(refused.url, /OpenTelemetry is loaded/);
});
