// The service under soak, and the client for it.
import { readFileSync } from "node:fs";
import http from "node:http";
import { entriesOf, makeVersion } from "../worker/catalogue.js";
import { bundle, startWorkerd } from "../worker/workerd.js";

/** Prefix of the text that stands for a missing answer. */
export const NO_ANSWER = "no answer";
/**
 * The server closed the connection after an earlier answer and left the next request unread (RFC 9112, 9.3.1). workerd
 * does this to all waiting connections after it was busy for more than five seconds: see closed-connections.test.js.
 */
export const CONNECTION_CLOSED = `${NO_ANSWER}: the connection was closed`;

/**
 * Starts the Worker with a module with planted faults, and the shop that holds the facts. The Worker keeps half of the
 * shop's prices, and rates for a second, so that orders find theirs in memory and in the store.
 */
export async function startService({ prices, zones, ...more }, deadlineMs) {
  const version = await makeVersion(prices, zones, { shardCount: 1 });
  const facts = { ...more, catalogue: entriesOf(version) };
  const bytes = Object.values(version.texts).join("").length;
  const variables = { DEADLINE_MS: String(deadlineMs), CACHE_BYTES: String(bytes >> 1), RATES_CACHE_SECONDS: "1" };
  const code = (file) => readFileSync(new URL(file, import.meta.url), "utf8");
  const entrypoint = (name) => ({ name: "shop", entrypoint: name });
  const app = await bundle("tests/soak/wrangler.jsonc");
  const services = { NATIONWIDE: "Nationwide", COUPONS: "Coupons", CATALOGUE: "Catalogue", VOUCHERS: "Vouchers" };
  const modules = [
    { type: "ESModule", path: "index.js", contents: code("shop.js") },
    { type: "ESModule", path: "facts.js", contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(facts))});` },
  ];
  const { compatibilityDate } = app;
  const serviceBindings = Object.fromEntries(Object.entries(services).map(([binding, name]) => [binding, entrypoint(name)]));
  const workerd = await startWorkerd([
    { ...app, bindings: { ...app.bindings, ...variables }, serviceBindings },
    { name: "shop", modules, compatibilityDate },
  ]);
  const [url, switchUrl] = await Promise.all([workerd.url(app.name), workerd.url("shop")]);
  return { workerd, url, switchUrl };
}

/** The status and text of an answer, or why there is none. Without an agent, it uses a new connection. */
export function exchange(to, options, body = "") {
  return new Promise((resolve) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const request = http.request(to, { agent: false, headers, ...options }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(`${response.statusCode} ${Buffer.concat(chunks)}`));
      response.on("error", lost);
    });
    const lost = ({ code }) => resolve(request.reusedSocket ? CONNECTION_CLOSED : `${NO_ANSWER}: ${code}`);
    request.on("error", lost);
    request.end(body);
  });
}
