// Abusive HTTP that Node's own parser lets through. The rest: ../worker/abuse.test.js.
import assert from "node:assert/strict";
import { maxHeaderSize } from "node:http";
import net from "node:net";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { UNHURRIED, until } from "../until.js";
import { killAll, startProgram } from "./program.js";
import { ORDER, price, remove, shopFolder, startService, TOTAL, WITH_COUPON } from "./shop.js";

const BODY = JSON.stringify(ORDER);
const MANY = 100_000;

let folder;
let coupons;
let program;
let url;

before(async () => {
  folder = await shopFolder();
  coupons = await startService(() => new Promise(() => {}));
  program = startProgram({ CATALOGUE_DIR: folder, COUPONS_URL: coupons.url, ...UNHURRIED });
  url = await program.url;
});
after(() => remove(folder));
after(killAll);

/** Nothing was lost, and nothing printed but lines of the log. */
afterEach(async () => {
  assert.equal((await price(url)).body.grandTotal, TOTAL);
  for (const record of program.records()) assert.ok(["start", "data", "listening", "order"].includes(record.event), JSON.stringify(record));
  assert.deepEqual(program.errors, []);
});

const connect = (...parts) => connectTo(url, ...parts);

function connectTo(address, ...parts) {
  const { port, hostname } = new URL(address);
  const socket = net.connect(port, hostname);
  let text = "";
  let isClosed = false;
  socket.on("error", () => {});
  socket.on("data", (bytes) => (text += bytes));
  socket.on("close", () => (isClosed = true));
  for (const part of parts) socket.write(part);
  return { socket, text: () => text, isClosed: () => isClosed };
}

async function answered(pattern, ...parts) {
  const { socket, text } = connect(...parts);
  await until(`it is answered like ${pattern}`, () => pattern.test(text()));
  socket.destroy();
}

const head = (line, ...headers) => [line, ...headers, "", ""].join("\r\n");
const post = (path, ...headers) => head(`POST ${path} HTTP/1.1`, `content-length: ${BODY.length}`, ...headers);

test("a host of any name, and an address as the path: the same order", async () => {
  for (const host of ["evil.example", "[::1]:80", "a b", "", "x".repeat(8_000), "shop.example:99999", "%00"]) {
    await answered(/^HTTP\/1\.1 (200|400) /, post("/calculatecost4", `host: ${host}`), BODY);
  }
  await answered(/^HTTP\/1\.1 400 /, post("/calculatecost4"), BODY);
  await answered(/^HTTP\/1\.1 200 /, post("http://evil.example/calculatecost4", "host: shop.example"), BODY);
});

test("TRACE, CONNECT and an upgrade", async () => {
  await answered(/^HTTP\/1\.1 4\d\d /, head("TRACE /calculatecost4 HTTP/1.1", "host: x"));
  const tunnel = connect(head("CONNECT evil.example:443 HTTP/1.1", "host: x"));
  await until("it is closed", tunnel.isClosed);
  assert.doesNotMatch(tunnel.text(), / 200 /);
  await answered(/^HTTP\/1\.1 200 /, post("/calculatecost4", "host: x", "connection: upgrade", "upgrade: websocket"), BODY);
});

test(`${MANY} chunks of a byte`, async () => {
  const padded = BODY.padEnd(MANY, " ");
  const chunks = Array.from(padded, (byte) => `1\r\n${byte}\r\n`).join("");
  await answered(/^HTTP\/1\.1 200 /, head("POST /calculatecost4 HTTP/1.1", "host: x", "transfer-encoding: chunked"), chunks, "0\r\n\r\n");
});

test("a body that never ends costs its own order", async () => {
  const hasty = startProgram({ CATALOGUE_DIR: folder, ORDER_DEADLINE_MS: "800" });
  const slow = connectTo(await hasty.url, head("POST /calculatecost4 HTTP/1.1", "host: x", "transfer-encoding: chunked"));
  const dripping = setInterval(() => slow.socket.write("1\r\n \r\n"), 20);
  await until("it is answered", () => slow.text().includes("The order was not priced within 800 ms"));
  clearInterval(dripping);
  slow.socket.destroy();
});

test("a client that hangs up: its order asks nothing more", async () => {
  const body = JSON.stringify(WITH_COUPON);
  const asked = coupons.asked.length;
  const closed = new Promise((resolve) => coupons.server.once("request", (request) => request.socket.once("close", resolve)));
  const { socket } = connect(head("POST /calculatecost4 HTTP/1.1", "host: x", `content-length: ${body.length}`), body);
  await until("the service is asked", () => coupons.asked.length === asked + 1);
  socket.destroy();
  await closed;
});

test("a client that sends no more after its order is answered", async () => {
  const body = JSON.stringify(WITH_COUPON);
  const attempt = async () => {
    const { socket, text, isClosed } = connect(head("POST /calculatecost4 HTTP/1.1", "host: x", `content-length: ${body.length}`), body);
    coupons.server.once("request", async (_request, response) => {
      socket.end();
      await wait(200); // it has arrived
      response.end(JSON.stringify({ discounts: [{ coupon: "C1", discount: 5 }] }));
    });
    await until("it is over", isClosed);
    return /^HTTP\/1\.1 200 /.test(text());
  };
  await until("one is answered", attempt); // a busy machine may take longer than such a client may wait
});

test("requests in a row on one connection are answered in their order", async () => {
  const bodies = Array.from({ length: 20 }, (_, index) => JSON.stringify({ ...ORDER, basketId: `B${index}-` }));
  const requests = bodies.map((body) => head("POST /calculatecost4 HTTP/1.1", "host: x", `content-length: ${body.length}`) + body);
  const { socket, text } = connect(requests.join(""));
  const ids = () => [...text().matchAll(/"basketId":"(B\d+-)"/g)].map(([, id]) => id);
  await until("all are answered", () => ids().length === 20);
  assert.deepEqual(
    ids(),
    bodies.map((_, index) => `B${index}-`),
  );
  socket.destroy();
});

test("requests that do not wait for answers: one order of a connection at a time, the rest unread", async () => {
  const body = JSON.stringify(WITH_COUPON);
  const request = head("POST /calculatecost4 HTTP/1.1", "host: x", `content-length: ${body.length}`) + body;
  const before = coupons.asked.length;
  const { socket } = connect(request.repeat(200_000));
  await until("its first order asks", () => coupons.asked.length === before + 1);
  await answered(/^HTTP\/1\.1 200 /, post("/calculatecost4", "host: x"), BODY);
  assert.equal(coupons.asked.length, before + 1);
  assert.ok(socket.writableLength > 0, "more than the system's buffers hold was read");
  socket.destroy();
});

test("headers that are too large", async () => {
  // No byte follows those that are too many: what is left unread would destroy the answer.
  await answered(/^HTTP\/1\.1 431 /, `POST /calculatecost4 HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(maxHeaderSize)}`);
});

/** `count` headers, the body's length last. */
const headOf = (count) =>
  head("POST /calculatecost4 HTTP/1.1", "host: x", ...Array(count - 2).fill("a:b"), `content-length: ${BODY.length}`);

test("as many headers as are read, the last one too, and one more", async () => {
  await answered(/^HTTP\/1\.1 200 /, headOf(2_000), BODY);
  await answered(/^HTTP\/1\.1 431 [^]*\{"error":"Too many headers: expected at most 2000"\}/, headOf(2_001), BODY);
});
