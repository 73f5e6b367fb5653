// An old service that behaves as an order's header says, and remembers what it sent.
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { listen } from "../ports.js";

export const HUGE_BYTES = 20_000_000;
const CHUNK = Buffer.alloc(500_000, "x");

const json = (response, status, body, headers = {}) => {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-legacy": "1",
    "set-cookie": ["a=1", "b=2"],
    "keep-alive": "timeout=7",
    ...headers,
  });
  response.end(body);
};

const MODES = {
  answers: (request, response, answer) => json(response, 200, answer),
  differs: (request, response, answer) =>
    json(
      response,
      200,
      answer.toString().replace(/"grandTotal":([\d.]+)/, (_, total) => `"grandTotal":${Number(total) + 2}`),
    ),
  fails: (request, response) => json(response, 503, '{"error":"planted-secret is not there"}'),
  lies: (request, response) => json(response, 200, "<h1>planted-secret</h1>", { "content-type": "text/html" }),
  nonsense: (request, response) =>
    json(response, 200, '{"planted-secret":[{"planted-secret":"planted-secret"}],"subTotal":"planted-secret"}'),
  deep: (request, response) => json(response, 200, "[".repeat(100_000) + "]".repeat(100_000)),
  gzip: (request, response, answer) => json(response, 200, gzipSync(answer), { "content-encoding": "gzip" }),
  brotli: (request, response, answer) => json(response, 200, brotliCompressSync(answer), { "content-encoding": "br" }),
  mislabels: (request, response, answer) => json(response, 200, answer, { "content-encoding": "gzip" }),
  invents: (request, response, answer) => json(response, 200, answer, { "content-encoding": "x-nobody-knows" }),
  hops: (request, response, answer) =>
    json(response, 200, answer, {
      connection: "keep-alive, x-named",
      "x-named": "1",
      "proxy-connection": "keep-alive",
      "proxy-authenticate": "Basic",
    }),
  redirects: (request, response) => json(response, 302, "moved", { location: "https://elsewhere.example/" }),
  empty: (request, response) => response.writeHead(204, { "x-legacy": "1" }).end(),
  odd: (request, response) => json(response, 999, "odd"),
  hangs: () => {},
  async loops({ headers }, response) {
    const passed = Object.entries(headers).filter(([name]) => name.startsWith("x-"));
    const answer = await fetch(headers["x-loops-to"], { method: "POST", headers: passed, body: "{}" });
    json(response, answer.status, await answer.text());
  },
  crashes(request, response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
    response.write('{"grandTotal":');
    setTimeout(() => response.socket.destroy(), 50);
  },
  slow(request, response, answer) {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(answer.subarray(0, 10));
    setTimeout(() => response.end(answer.subarray(10)), 300);
  },
  async huge(request, response) {
    response.writeHead(200, { "content-type": "text/plain" });
    const chunks = Array.from({ length: HUGE_BYTES / CHUNK.length }, () => CHUNK);
    await pipeline(chunks, response).catch(() => {}); // whoever asked may hang up
  },
};

/** The modes that do not price the order. */
const QUIET = ["fails", "lies", "nonsense", "deep", "redirects", "empty", "odd", "hangs", "loops", "crashes", "huge"];

/**
 * @param {(body: Buffer) => Promise<Buffer>} price the answer of the new service, which this one agrees with
 */
export async function startLegacy(price) {
  /** What came, in sequence. */
  const received = [];
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const { method, url, headers } = request;
    received.push({ method, url, headers, body });
    const isOrder = method === "POST" && headers["x-legacy-mode"] !== undefined;
    if (!isOrder) return json(response, 200, JSON.stringify({ method, url, bytes: body.length }));
    const mode = headers["x-legacy-mode"];
    await MODES[mode](request, response, !QUIET.includes(mode) ? await price(body) : undefined);
  });
  server.keepAliveTimeout = 600_000; // a connection that ends while an order is on its way would be another test
  return {
    url: await listen(server),
    received,
    async stop() {
      server.close().closeAllConnections();
    },
  };
}
