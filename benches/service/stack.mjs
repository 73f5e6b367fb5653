// What the service is compared with: its stack without orders. worker/src/node/listener.js has the same settings.
//   node benches/service/stack.mjs fixed <bytes> | echo
import cluster from "node:cluster";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { FILLER, fill } from "../orders/index.js";

const PROCESSES = 2;
const HEADERS = { "content-type": "application/json" };

const [kind, bytes] = process.argv.slice(2);
const answer = new Uint8Array(Number(bytes));

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on("listening", (_worker, { port }) => {
    listening += 1;
    if (listening === PROCESSES) console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` }));
  });
  for (let count = 0; count < PROCESSES; count += 1) cluster.fork();
} else {
  const { resolve } = createRequire(new URL("../../worker/package.json", import.meta.url));
  const { getRequestListener } = await import(pathToFileURL(resolve("@hono/node-server")).href);
  const server = createServer(getRequestListener({ fixed, echo }[kind], { hostname: "localhost" }));
  server.keepAliveTimeout = 75_000;
  server.timeout = 120_000;
  server.listen(0, "127.0.0.1");
}

async function fixed(request) {
  await request.arrayBuffer();
  return new Response(answer, { headers: HEADERS });
}

async function echo(request) {
  const order = fill(await request.json(), request.headers.get(FILLER));
  return new Response(JSON.stringify(order), { headers: HEADERS });
}
