// Why connections of the soak's client are closed. This needs no code of this project: an echo Worker shows it. workerd
// looks at its sockets and its clock only when it is idle. While a few connections keep it busy, it does not read the
// requests of the others, however soon they arrive. If it is busy for more than five seconds, its time limit for idle
// connections has passed for all of them: it closes them with their requests unread, and the client sees a reset.
//   node --test tests/soak/closed-connections.test.js
import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startWorkerd } from "../worker/workerd.js";
import { CONNECTION_CLOSED, exchange } from "./service.js";

const CONNECTIONS = 32;
/** Keeps workerd busy: this many connections, each with this many requests sent ahead of their answers. */
const BUSY_CONNECTIONS = 4;
const AHEAD = 500;
/** Pause between the last answer on a connection and its next request: far below any time limit. */
const IDLE_MS = 500;
const BODY = "hello";
const REQUEST = `POST / HTTP/1.1\r\nhost: echo\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
const ECHO = "export default { fetch: async (request) => new Response(await request.text()) };";

let workerd;
let url;

before(async () => {
  const modules = [{ type: "ESModule", path: "echo.js", contents: ECHO }];
  workerd = await startWorkerd([{ name: "echo", modules, compatibilityDate: "2026-04-26" }]);
  url = new URL(await workerd.url("echo"));
});

after(() => workerd.stop());

test("busy for less than its time limit, workerd answers late and closes nothing", async (context) => {
  assert.deepEqual(await answersWhileBusy(context, 3000), { [`200 ${BODY}`]: CONNECTIONS });
});

test("busy for longer, workerd closes every waiting connection with its request unread", async (context) => {
  assert.deepEqual(await answersWhileBusy(context, 7000), { [CONNECTION_CLOSED]: CONNECTIONS });
});

/** Counts the answers to requests on reused connections while other connections keep workerd busy. */
async function answersWhileBusy(context, busyMs) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const sendAll = () => Promise.all(Array.from({ length: CONNECTIONS }, () => exchange(url, { method: "POST", agent }, BODY)));
  await sendAll();
  const busy = Promise.all(Array.from({ length: BUSY_CONNECTIONS }, () => keepBusy(busyMs)));
  await sleep(IDLE_MS);
  const answers = await sendAll();
  const served = (await busy).reduce((sum, count) => sum + count);
  context.diagnostic(`${served} other requests were answered meanwhile`);
  agent.destroy();
  return Object.fromEntries([...new Set(answers)].map((answer) => [answer, answers.filter((it) => it === answer).length]));
}

/** Sends requests on one connection without waiting for answers, so that another request is always ready. */
function keepBusy(busyMs) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(url.port, url.hostname);
    const until = performance.now() + busyMs;
    let sent = 0;
    let answered = 0;
    let rest = "";
    const fill = () => {
      const missing = answered + AHEAD - sent;
      socket.write(REQUEST.repeat(missing));
      sent += missing;
    };
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      const answers = (rest + text).split(BODY);
      rest = answers.pop();
      answered += answers.length;
      if (performance.now() < until) fill();
      else if (answered === sent) socket.end();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answered));
    fill();
  });
}
