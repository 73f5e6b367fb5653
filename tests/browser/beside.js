// A server that a file's tests need, and Chromium beside it.
import http from "node:http";
import { after, before } from "node:test";
import { openChromium } from "../chromium.js";

export let browser;
export let origin;

export function startBeside(serve) {
  let server;
  before(async () => {
    server = http.createServer(serve).listen(0, "127.0.0.1");
    browser = await openChromium();
    origin = `http://127.0.0.1:${server.address().port}`;
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
}
