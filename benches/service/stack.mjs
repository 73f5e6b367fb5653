// What the service is compared with: the same stack, without orders. PROCESSES share a port.
//   node benches/service/stack.mjs fixed <bytes> | echo
import cluster from "node:cluster";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { FILLER, fill } from "../filler.js";

const PROCESSES = 2;
const [kind, bytes] = process.argv.slice(2);

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on("listening", (_worker, { port }) => {
    listening += 1;
    if (listening === PROCESSES) console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` }));
  });
  for (let count = 0; count < PROCESSES; count += 1) cluster.fork();
} else {
  const { resolve } = createRequire(new URL("../../worker/package.json", import.meta.url));
  const { getRequestListener } = await import(pathToFileURL(resolve("@hono/node-server")));
  createServer(getRequestListener({ fixed, echo }[kind], { hostname: "localhost" })).listen(0, "127.0.0.1");
}

const HEADERS = { "content-type": "application/json" };

async function fixed(request) {
  await request.arrayBuffer();
  return new Response(new Uint8Array(Number(bytes)).fill(32), { headers: HEADERS });
}

async function echo(request) {
  const order = fill(await request.json(), request.headers.get(FILLER));
  return new Response(JSON.stringify(order), { headers: HEADERS });
}
