// The service on Node, in a process of its own: sends its port.
import { once } from "node:events";
import http from "node:http";
import { createPricer } from "order-cost";
import { createNodeListener } from "order-cost/http";
import { createFetchHandler } from "order-cost/worker";
import { answeringHost } from "./host.js";

const server = http.createServer(createNodeListener(createFetchHandler(() => createPricer(answeringHost()))));
await once(server.listen(0, "127.0.0.1"), "listening");
process.send(server.address().port);
