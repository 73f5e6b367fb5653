// POST /calculatecost2, 3 and 4 on Node's own server, with the facts in SQLite.
import { createServer } from "node:http";
import { createPricer } from "order-cost";
import { createNodeListener } from "order-cost/http";
import { createFetchHandler } from "order-cost/worker";
import { options } from "./options.js";
import { openShop } from "./shop.js";

const DEADLINE_MS = 10_000;

const shop = openShop(options.database);
const handle = createFetchHandler(() => createPricer(shop.host, { deliveryZones: shop.deliveryZones }), {
  deadlineMs: DEADLINE_MS,
  onOrder: logFailure,
});

const server = createServer(createNodeListener(handle));
server.setTimeout(3 * DEADLINE_MS); // ends the connection of a client that sends nothing, or reads nothing
server.listen(Number(options.port), options.host, () => {
  console.log(`Listening on http://${options.host}:${server.address().port}`);
});

process.once("SIGINT", stop).once("SIGTERM", stop);

/** One line of JSON for each failed order, and nothing of its content: the error's message may name a voucher. */
function logFailure({ status, route, requestId, error, lines, ms }) {
  if (!error) return;
  const cause = error.cause?.cause?.message; // SQLite's own
  console.log(JSON.stringify({ level: "error", requestId, route, status, code: error.code, cause, lines, ms: ms.total }));
}

/** Takes no more connections, and ends once the orders under way are answered. */
function stop() {
  server.close(() => shop.close());
  setTimeout(() => server.closeAllConnections(), DEADLINE_MS).unref();
}
