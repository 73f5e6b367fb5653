// Copies of the service on Node in one process, each as worker/src/node/process.js starts it, and the services of
// worker/services over HTTP. on-node.js says which. tests/node/ has the program itself.
import { once } from "node:events";
import http from "node:http";
import { createRequire } from "node:module";
import process from "node:process";
import { preload } from "order-cost";
import { createListener } from "../../worker/src/node/listener.js";
import { onNode } from "../../worker/src/node/platform/platform.js";
import { settingsOf } from "../../worker/src/node/settings.js";
import { createService } from "../../worker/src/service/service.js";

const { getRequestListener } = createRequire(new URL("../../worker/package.json", import.meta.url))("@hono/node-server");

async function copy(env) {
  const { host, port, deadlineMs } = settingsOf(env);
  const platform = onNode(env);
  const { answer, answerNow, catalogue } = createService(platform, env);
  await Promise.all([preload(), catalogue.current()]);
  return createListener(answer, deadlineMs, platform.hold, answerNow).server.listen(port, host);
}

async function demo(part) {
  const { default: service } = await import(`../../worker/services/${part}/worker.js`);
  return http.createServer(getRequestListener((request) => service.fetch(request))).listen(0, "127.0.0.1");
}

process.on("message", async ({ id, env, part }) => {
  const server = await (part ? demo(part) : copy(env));
  await once(server, "listening");
  process.send({ id, url: `http://127.0.0.1:${server.address().port}` });
});
process.on("disconnect", () => process.exit());
