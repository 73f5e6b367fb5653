// A service of worker/services over HTTP: `node demo-service.js nationwide`.
import { once } from "node:events";
import http from "node:http";
import { createRequire } from "node:module";
import process from "node:process";

const { getRequestListener } = createRequire(new URL("../../worker/package.json", import.meta.url))("@hono/node-server");
const { default: service } = await import(`../../worker/services/${process.argv[2]}/index.js`);

const server = http.createServer(getRequestListener((request) => service.fetch(request)));
await once(server.listen(0, "127.0.0.1"), "listening");
console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${server.address().port}` }));
