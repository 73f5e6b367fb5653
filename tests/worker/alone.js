// The Worker alone in a workerd process. Its stores and services are in this process, behind workerd's own bindings: so
// the CPU time and the memory of that process are the Worker's, and every question that it asks is seen here.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { listen } from "../ports.js";

const worker = createRequire(new URL("../../worker/package.json", import.meta.url));
const executable = worker("workerd").default;

const STORES = ["CATALOGUE", "VOUCHERS"];
const SERVICES = ["NATIONWIDE", "COUPONS"];
const CACHE = "CACHE";
const BUCKET = "DECISIONS";
/**
 * @typedef {import("node:stream").Readable} Readable
 * @typedef {import("node:child_process").ChildProcessByStdio<null, Readable, Readable>} Piped
 */

const MODULE_KINDS = { ESModule: "esModule", CompiledWasm: "wasm" };

/**
 * @typedef {Awaited<ReturnType<typeof startAlone>>} Alone
 *
 * @param {import("miniflare").WorkerOptions} app what `bundle` gives
 * @param {object} outside
 * @param {Record<string, (key: string) => string | null>} outside.stores the text of a key, by binding
 * @param {{ NATIONWIDE: (question: object) => object, COUPONS: (question: import("order-cost").CouponRequest) => object }} outside.services
 *   the answer to a question, by binding
 * @param {{ isolates?: number, answerMs?: number, v8Flags?: string[], hasCache?: boolean, hasBucket?: boolean }} [options]
 *   `answerMs`: how long an answer takes, so that questions which are asked together are open together; `hasCache`: the Cache
 *   API has an effect; `hasBucket`: captures have one
 */
export async function startAlone(
  app,
  { stores, services },
  { isolates = 1, answerMs = 0, v8Flags = [], hasCache = false, hasBucket = false } = {},
) {
  const record = createRecord();
  const servers = {};
  const listen = async (binding, kind, answer) => (servers[binding] = await serve(record, kind, answerMs, answer));
  for (const binding of STORES) await listen(binding, "reads", storeOf(stores[binding], record));
  if (hasCache) servers[CACHE] = await serve(record, "cached", 0, createCache());
  if (hasBucket) servers[BUCKET] = await serve(record, "written", 0, createBucket(record));
  for (const binding of SERVICES) await listen(binding, "calls", serviceOf(services[binding], record));
  const folder = await mkdtemp(path.join(tmpdir(), "order-cost-alone-"));
  await Promise.all(app.modules.map(({ path: name, contents }) => writeFile(path.join(folder, name), contents)));
  const config = path.join(folder, "config.capnp");
  await writeFile(config, configOf(app, servers, isolates, v8Flags));

  const child = /** @type {Piped} */ (
    spawn(executable, ["serve", "--control-fd=3", config], { stdio: ["ignore", "pipe", "pipe", "pipe"] })
  );
  /** @type {string[]} */
  const logs = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => logs.push(line));
  const ended = once(child, "close");
  const failed = ended.then(([code]) => Promise.reject(new Error(`workerd ended with ${code}: ${logs.join("\n")}`)));
  const ports = await Promise.race([listening(child, isolates), failed]);

  return {
    /** What workerd printed, line by line. */
    logs,
    /** The address of an isolate. */
    url: (isolate = 0) => `http://127.0.0.1:${ports[isolate]}`,
    /** What the Worker has asked since the last call. */
    asked: record.take,
    /** The CPU time that the process has used, in milliseconds. NaN where the system does not show it. */
    cpuMs: () => cpuMs(child.pid).catch(() => NaN),
    /** The resident memory of the process in bytes. NaN where the system does not show it. */
    memory: () => memory(child.pid).catch(() => NaN),
    async stop() {
      child.kill();
      await ended;
      for (const { server } of Object.values(servers)) {
        server.closeAllConnections();
        server.close();
      }
      await rm(folder, { recursive: true });
    },
  };
}

// ---------------------------------------------------------------- stores and services

/**
 * What was asked: subrequests, among them reads of the stores, with their keys and bytes; the bytes sent to services;
 * the most questions that were open at once, and the most reads.
 */
function createRecord() {
  const nothing = () => ({
    subrequests: 0,
    reads: 0,
    keys: 0,
    bytes: 0,
    cached: 0,
    written: 0,
    captures: 0,
    sentBytes: 0,
    openAtOnce: 0,
    readsAtOnce: 0,
  });
  const open = { reads: 0, calls: 0, cached: 0, written: 0 };
  let record = nothing();
  return {
    /** @param {"reads" | "calls" | "cached" | "written"} kind `cached`: a call of the Cache API; `written`: one of the bucket */
    begin(kind) {
      open[kind] += 1;
      record.subrequests += 1;
      if (kind !== "calls") record[kind] += 1;
      record.openAtOnce = Math.max(record.openAtOnce, open.reads + open.calls);
      record.readsAtOnce = Math.max(record.readsAtOnce, open.reads);
    },
    end: (kind) => (open[kind] -= 1),
    count(name, count) {
      record[name] += count;
    },
    take() {
      const taken = record;
      record = nothing();
      return taken;
    },
  };
}

async function serve(record, kind, answerMs, answer) {
  const server = http.createServer(async (request, response) => {
    record.begin(kind);
    response.on("close", () => record.end(kind));
    try {
      const question = await text(request);
      if (answerMs > 0) await wait(answerMs);
      const { status = 200, headers, body } = answer(new URL(request.url ?? "", "http://store"), question, request.method);
      response.writeHead(status, headers).end(body);
    } catch (error) {
      response.writeHead(500).end(/** @type {Error} */ (error).stack);
    }
  });
  server.unref();
  server.keepAliveTimeout = 0; // else it closes a connection on which the Worker, on a busy machine, is just asking
  return { server, address: new URL(await listen(server)).host };
}

/** KV as workerd speaks to it. */
const storeOf = (textOf, record) => (url, body) => {
  const isBulk = url.pathname === "/bulk/get";
  const keys = isBulk ? JSON.parse(body).keys : [decodeURIComponent(url.pathname.slice(1))];
  if (keys.length > 100) return { status: 400, body: "You can request a maximum of 100 keys" };
  const texts = keys.map((key) => textOf(key));
  record.count("keys", keys.length);
  record.count(
    "bytes",
    texts.reduce((sum, found) => sum + Buffer.byteLength(found ?? ""), 0),
  );
  if (isBulk) return { body: JSON.stringify(Object.fromEntries(keys.map((key, index) => [key, texts[index]]))) };
  return texts[0] === null ? { status: 404 } : { body: texts[0] };
};

/** The Cache API as workerd speaks to it: the body of a PUT is a whole response. */
function createCache() {
  const kept = new Map();
  return ({ href }, body, method) => {
    if (method === "PUT") kept.set(href, body.slice(body.indexOf("\r\n\r\n") + 4));
    if (method === "PUT") return { status: 204 };
    if (!kept.has(href)) return { status: 504, headers: { "cf-cache-status": "MISS" } };
    return { headers: { "cf-cache-status": "HIT" }, body: kept.get(href) };
  };
}

/** R2 as workerd speaks to it: a question in a header, or in front of the body of what is written. */
function createBucket(record) {
  const missing = {
    status: 404,
    headers: { "cf-r2-error": JSON.stringify({ version: 0, v4code: 10007, message: "The specified key does not exist." }) },
  };
  return (_, body, method) => {
    if (method !== "PUT") return missing;
    record.count("captures", 1);
    const written = JSON.stringify({
      name: "n",
      version: "v",
      size: `${body.length}`,
      etag: "e",
      uploaded: "0",
      storageClass: "Standard",
      checksums: {},
    });
    return { headers: { "cf-r2-metadata-size": `${written.length}` }, body: written };
  };
}

const serviceOf = (answerTo, record) => (_, body) => {
  record.count("sentBytes", Buffer.byteLength(body));
  return { body: JSON.stringify(answerTo(JSON.parse(body))) };
};

// ---------------------------------------------------------------- workerd

function configOf({ modules, bindings, compatibilityDate, compatibilityFlags = [] }, servers, isolates, v8Flags) {
  const quoted = (value) => JSON.stringify(value);
  const list = (items) => `[${items.join(",\n")}]`;
  const moduleOf = ({ type, path: name }) => `(name = ${quoted(name)}, ${MODULE_KINDS[type]} = embed ${quoted(name)})`;
  const bound = [
    ...Object.entries(bindings ?? {}).map(([name, value]) => `(name = ${quoted(name)}, text = ${quoted(`${value}`)})`),
    ...STORES.map((name) => `(name = "${name}", kvNamespace = "${name}")`),
    ...SERVICES.map((name) => `(name = "${name}", service = "${name}")`),
    ...(servers[BUCKET] ? [`(name = "${BUCKET}", r2Bucket = "${BUCKET}")`] : []),
  ];
  const outside = Object.entries(servers).map(
    ([name, { address }]) => `(name = "${name}", external = (address = "${address}", http = ()))`,
  );
  const names = Array.from({ length: isolates }, (_, index) => `isolate-${index}`);
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    "const config :Workerd.Config = (",
    `v8Flags = ${list(v8Flags.map(quoted))},`,
    `services = ${list([...outside, ...names.map((name) => `(name = "${name}", worker = .app)`)])},`,
    `sockets = ${list(names.map((name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`))}`,
    ");",
    "const app :Workerd.Worker = (",
    `modules = ${list(modules.map(moduleOf))},`,
    `bindings = ${list(bound)},`,
    `compatibilityDate = ${quoted(compatibilityDate)},`,
    `compatibilityFlags = ${list(compatibilityFlags.map(quoted))}${servers[CACHE] ? `,\ncacheApiOutbound = "${CACHE}"` : ""}`,
    ");",
  ].join("\n");
}

/** The ports of the isolates. workerd reports each on the control descriptor. */
async function listening(child, count) {
  const ports = [];
  for await (const line of createInterface({ input: child.stdio[3] })) {
    const { event, socket, port } = JSON.parse(line);
    if (event === "listen") ports[Number(socket.split("-")[1])] = port;
    if (Object.keys(ports).length === count) return ports;
  }
  return new Promise(() => {}); // it has ended
}

/** The CPU time of a process. All threads together: V8 collects garbage and compiles on threads of its own. */
export async function cpuMs(pid) {
  const threads = await readdir(`/proc/${pid}/task`);
  const nanoseconds = await Promise.all(
    threads.map(async (thread) => Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8")).split(" ")[0])),
  );
  return nanoseconds.reduce((sum, count) => sum + count, 0) / 1e6;
}

/**
 * The resident memory of a process in bytes.
 * @param {number | undefined} pid
 */
export async function memory(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return 1_024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}
