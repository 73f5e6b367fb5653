// An entrant in a page: what the page loads, and the time to its first result on a slow phone with a slow connection.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { CHROMIUM_FLAGS } from "../../tests/chromium.js";
import { listen } from "../../tests/ports.js";
import { bundled, wasmBeside } from "../../xtask/package/index.mjs";

const { chromium } = createRequire(new URL("../../tests/package.json", import.meta.url))("playwright-core");

export const SLOW = { cpu: 4, bytesPerSecond: 200_000, latencyMs: 150 };

const TYPES = { "": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm" };
const LONGEST_MS = 120_000;

const decoder = new TextDecoder();

/**
 * The files that a page loads for an entrant, by path, each compressed as a server would.
 * @returns {Promise<Map<string, Buffer>>}
 */
export async function pageFiles({ page, wasm }) {
  const outputs = await bundled({
    stdin: { contents: scriptOf(page), resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    outdir: "/",
    publicPath: "/",
    loader: { ".wasm": "file" },
  });
  /** @type {[path: string, bytes: Uint8Array][]} */
  const files = outputs.map(({ path, contents }) => [path, contents]);
  const [[, script]] = files.filter(([path]) => extname(path) === ".js");
  // A script that imports its module does not load the one that it names beside itself.
  const beside = files.length > 1 ? [] : wasmBeside(decoder.decode(script));
  for (const path of beside) files.push([posix.join("/", path), readFileSync(wasm)]);
  return new Map(files.map(([path, bytes]) => [path, brotliCompressSync(bytes)]));
}

/** The time origin of a page is the start of its navigation. */
const scriptOf = (use) => `
  import firstUse from "./uses/${use}.js";
  await firstUse(globalThis.given);
  globalThis.firstResultAt = performance.now();
`;

/** The page of these files. Every page has what is given, so that all are equally long. */
export function withPage(files, given) {
  const script = [...files.keys()].find((path) => extname(path) === ".js");
  const text = JSON.stringify(given).replaceAll("<", "\\u003c");
  const html = `<!doctype html><title>cold</title><link rel="icon" href="data:,"><script>given = ${text}</script><script type="module" src="${script}"></script>`;
  return new Map([...files, ["/", brotliCompressSync(html)]]);
}

/** Milliseconds from the start of the navigation to the first result, in a fresh browser; and the browser's version. */
export async function timeInPage(files) {
  const server = serverOf(files);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: CHROMIUM_FLAGS });
  try {
    const ms = await visit(await browser.newPage(), `${await listen(server)}/`);
    return { ms, version: browser.version() };
  } finally {
    await browser.close();
    server.close();
  }
}

async function visit(page, url) {
  const failed = new Promise((_, reject) => page.on("pageerror", reject));
  await slowDown(await page.context().newCDPSession(page));
  await page.goto(url, { waitUntil: "commit" });
  const ready = page.waitForFunction(() => globalThis.firstResultAt, undefined, { polling: 100, timeout: LONGEST_MS });
  return (await Promise.race([ready, failed])).jsonValue();
}

async function slowDown(session) {
  const { cpu, bytesPerSecond, latencyMs } = SLOW;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
}

function serverOf(files) {
  return createServer(({ url = "/" }, response) => {
    const body = files.get(url);
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(url)], "content-encoding": "br", "content-length": body.length });
    response.end(body);
  });
}
