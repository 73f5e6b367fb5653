// The site of documents as static files under /docs, compressed, and one Chromium for all tests.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import compression from "compression";
import sirv from "sirv";
import { openChromium } from "../chromium.js";

/** What `cargo xtask site` builds. */
export const SITE = fileURLToPath(new URL("../../target/site/", import.meta.url));

let server;
export let browser;
export let address;

export async function startServed() {
  await startServer();
  browser = await openChromium();
}

export async function stopServed() {
  await browser?.close();
  await stopServer();
}

/** On the port that it had before, if it is free. */
export async function startServer() {
  const answer = sirv(SITE, { etag: true, extensions: ["html"] });
  // As Cloudflare does; workerd does not.
  const compress = compression();
  const missing = (response) => () => response.writeHead(404).end();
  server = createServer((request, response) => compress(request, response, () => answer(request, response, missing(response))));
  await new Promise((resolve) => server.listen(address ? Number(new URL(address).port) : 0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}`;
}

/** Also ends what a test has ended already. */
export async function stopServer() {
  if (!server) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  server = undefined;
  await closed;
}
