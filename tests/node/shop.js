// A small shop for the tests of Node: its catalogue in a folder, an order, services that the test answers for.
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { listen } from "../ports.js";
import { PATIENCE_MS } from "../until.js";
import { entriesOf, makeVersion } from "../worker/catalogue.js";

export const ORDER = { productList: [{ cprcode: 1001, productName: "Rice", quantity: 2 }] };
export const TOTAL = 20;
export const WITH_COUPON = { ...ORDER, couponCodeList: ["C1"] };

/** A version in which product 1001 costs `price`. */
export const versionOf = (price) => makeVersion({ "1001/1000": `{"price":${price}}` });

export const folderToRemove = () => mkdtemp(path.join(tmpdir(), "order-cost-node-"));
export const remove = (folder) => rm(folder, { recursive: true, force: true });

/** The texts of a folder's files, by their path in it. */
export async function filesIn(folder) {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [path.relative(folder, file), await readFile(file, "utf8")])));
}

/** Writes texts by key as files. `current` comes last and at once, as the commands write it. */
export async function writeTexts(folder, { current, ...texts }) {
  const write = async (key, text) => {
    const file = path.join(folder, key.replace(":", "/"));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  for (const [key, text] of Object.entries(texts)) await write(key, text);
  if (current !== undefined) await write("current", current);
}

/** A folder with a catalogue in which the order costs `TOTAL`. */
export async function shopFolder() {
  const folder = await folderToRemove();
  await writeTexts(folder, entriesOf(await versionOf(TOTAL / 2)));
  return folder;
}

export async function price(url, order = ORDER, headers = {}) {
  const response = await fetch(`${url}/calculatecost4`, {
    method: "POST",
    body: JSON.stringify(order),
    headers,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/**
 * A service over HTTP.
 * @param {(request: { headers: object, body: unknown }) => unknown} answer its JSON, or a promise of that
 */
export async function startService(answer) {
  const asked = [];
  const server = http.createServer(async (request, response) => {
    const body = request.method === "POST" ? await json(request) : undefined;
    asked.push({ url: request.url, headers: request.headers, body });
    response.end(JSON.stringify(await answer({ headers: request.headers, body })));
  });
  server.unref();
  return { url: await listen(server), asked, server };
}

/** Whether somebody listens at an address. */
export async function isListening(url) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(port, hostname);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
