// The service under soak, and how it is spoken to.
import { readFileSync } from "node:fs";
import http from "node:http";
import { bundle, startWorkerd } from "../worker/workerd.js";

/** What is said in place of an answer begins so. */
export const NO_ANSWER = "no answer";
/**
 * The server has closed a connection after an earlier answer, with the next request on it unread (RFC 9112, 9.3.1). workerd
 * does so to all that wait when it has been busy for more than five seconds: closed-connections.test.js.
 */
export const CONNECTION_CLOSED = `${NO_ANSWER}: the connection was closed`;

/** Starts the Worker over a module with planted faults, and the shop whose facts it asks for. */
export async function startService(facts, deadlineMs) {
  const code = (file) => readFileSync(new URL(file, import.meta.url), "utf8");
  const entrypoint = (name) => ({ name: "shop", entrypoint: name });
  const app = await bundle("tests/soak/wrangler.jsonc");
  const services = { NATIONWIDE: "Nationwide", COUPONS: "Coupons", PRICES: "Prices", VOUCHERS: "Vouchers", ZONES: "Zones" };
  const modules = [
    { type: "ESModule", path: "index.js", contents: code("shop.js") },
    { type: "ESModule", path: "facts.js", contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(facts))});` },
  ];
  const { compatibilityDate } = app;
  const serviceBindings = Object.fromEntries(
    Object.entries(services).map(([binding, name]) => [binding, entrypoint(name)]),
  );
  const workerd = await startWorkerd([
    { ...app, bindings: { ...app.bindings, DEADLINE_MS: String(deadlineMs) }, serviceBindings },
    { name: "shop", modules, compatibilityDate },
  ]);
  const [url, switchUrl] = await Promise.all([workerd.url(app.name), workerd.url("shop")]);
  return { workerd, url, switchUrl };
}

/** The status and the text of an answer, or why none came. Without an agent on a connection of its own. */
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
