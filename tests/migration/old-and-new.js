// An old service and what the new one needs on Node, of the demo shop: a folder of prices, and its services over HTTP.
import http from "node:http";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { mock } from "node:test";
import records from "../../worker/seed/vouchers.json" with { type: "json" };
import coupons from "../../worker/services/coupons/worker.js";
import { jsonService } from "../../worker/services/json/json-service.js";
import rates from "../../worker/services/nationwide/worker.js";
import { folderToRemove, remove, writeTexts } from "../node/shop.js";
import { listen } from "../ports.js";
import { entriesOf, seedVersion } from "../worker/catalogue.js";
import { legacyAnswer } from "./double/legacy.js";
import { shopCase } from "./shop-orders.js";

const { getRequestListener } = createRequire(new URL("../../worker/package.json", import.meta.url))("@hono/node-server");

const vouchers = jsonService("vouchers", ({ voucherIds }) => voucherIds.map((id) => records[id] ?? null));

const REDACT_KEY = "the key of the tests: no secret, but long enough";

/** By the beginning of a request id: how the old service fails. */
const FAILURES = {
  down: (response) => response.socket.destroy(),
  html: (response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>"),
  text: (response) => response.end("<h1>Somchai is not there</h1>"),
  cut(response) {
    response.writeHead(200, { "content-length": 1000 }).write('{"grandTotal":');
    setTimeout(() => response.socket.destroy(), 50);
  },
};

/**
 * @param {string[]} differences of the old service, by the names of double/differences.js
 */
export async function startOldAndNew(differences) {
  const { mock: quiet } = mock.method(console, "log", () => {}); // the services of the demo log here
  const folder = await folderToRemove();
  await writeTexts(folder, entriesOf(await seedVersion()));
  /** What the old service was sent, in sequence. */
  const received = [];
  const servers = [];
  const serve = async (listener) => {
    const server = http.createServer(listener);
    servers.push(server);
    return listen(server);
  };
  const legacy = await serve(async (request, response) => {
    if (request.method === "GET") return response.writeHead(404).end();
    const body = await buffer(request);
    const { url, headers } = request;
    received.push({ url, headers, body });
    const [failure] = headers["x-request-id"].split("-");
    if (Object.hasOwn(FAILURES, failure)) return FAILURES[failure](response);
    const { status, body: answer } = legacyAnswer(caseOf(`${body}`), differences);
    return response.writeHead(status, { "content-type": "application/json" }).end(answer);
  });
  const urls = [vouchers, rates, coupons].map(({ fetch }) => serve(getRequestListener(fetch)));
  const [VOUCHERS_URL, NATIONWIDE_URL, COUPONS_URL] = await Promise.all(urls);
  return {
    legacy,
    received,
    folder,
    variables: { CATALOGUE_DIR: folder, VOUCHERS_URL, NATIONWIDE_URL, COUPONS_URL, REDACT_KEY },
    async stop() {
      for (const server of servers) {
        server.close().closeAllConnections();
      }
      await remove(folder);
      quiet.restore();
    },
  };
}

/** An order with its facts; what is no JSON has none. */
function caseOf(body) {
  try {
    return { ...shopCase(JSON.parse(body)), order: undefined, body };
  } catch (error) {
    if (error instanceof SyntaxError) return { body };
    throw error;
  }
}
