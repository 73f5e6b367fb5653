// The rest of the demo shop, beside the pricing service: one part of it in this process.
//   PORT=8788 node demo/main.js rates|coupons|vouchers|page
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import coupons from "../seed/coupons.json" with { type: "json" };
import rates from "../seed/rates.json" with { type: "json" };
import records from "../seed/vouchers.json" with { type: "json" };
import { couponService } from "../services/coupons/index.js";
import { jsonService } from "../services/json/index.js";
import { rateService } from "../services/nationwide/index.js";

const SITE = fileURLToPath(new URL("../../target/site/", import.meta.url));

const service = ({ fetch }) => healthy().all("*", (c) => fetch(c.req.raw));
const record = (voucherId) => (Object.hasOwn(records, voucherId) ? records[voucherId] : null);

const PARTS = {
  rates: () => service(rateService(rates)),
  coupons: () => service(couponService(coupons)),
  vouchers: () => service(jsonService("vouchers", (/** @type {{ voucherIds: string[] }} */ { voucherIds }) => voucherIds.map(record))),
  page,
};

/** The site's files, and the pricing service's routes beside them. A page of the documents is asked for without `.html`. */
function page({ SERVICE_URL }) {
  const order = ({ req }) => proxy(new URL(req.path, SERVICE_URL), req);
  return healthy()
    .all("/:route{calculatecost[234]}", order)
    .get("*", serveStatic({ root: SITE }))
    .get("/docs/*", serveStatic({ root: SITE, rewriteRequestPath: (path) => `${path}.html` }))
    .notFound((c) => c.html(missingPage(c.req.path), 404));
}

/** The documents have a page for wrong addresses; an image of the demo shop has no documents. */
function missingPage(path) {
  const file = `${SITE}docs/404.html`;
  if (path.startsWith("/docs/") && existsSync(file)) return readFileSync(file, "utf8");
  return '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No such page</title><h1>No such page</h1><p>There is no page at this address. <a href="/">To the shop</a></p></html>';
}

const healthy = () => new Hono().get("/health", (c) => c.json({ status: "up" }));

const { HOST: hostname, PORT: port = "3000" } = process.env;
const [name] = process.argv.slice(2);
const server = serve({ fetch: PARTS[name](process.env).fetch, hostname, port: Number(port) });

process.once("SIGTERM", () => server.close());
