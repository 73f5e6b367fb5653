// A stand-in for Cloudflare's API: the requests that the commands make, on keys in memory, and the documented limits.
import http from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../ports.js";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
export const NAMESPACE = "fedcba9876543210fedcba9876543210";
const LIST_PAGE = 1000;

/** What Cloudflare documents. After more requests than `requests` in a span it takes none for a span. */
const LIMITS = {
  requests: 1200,
  spanMs: 5 * 60_000,
  getKeys: 100,
  answerBytes: 25e6,
  writeKeys: 10_000,
  writeBytes: 100e6,
};

/**
 * How a call goes wrong: the status of the answer, with headers of its own or with a text that is no JSON; `"break"`: the
 * connection ends before anything is done; `"lost"`: it ends after everything is done; `"silence"`: there is no answer;
 * `{ leftOut }`: a bulk write that Cloudflare takes but for these keys.
 * @typedef {number | { status: number, headers?: object, text?: string } | "break" | "lost" | "silence" | { leftOut: string[] }} Trouble
 */

export async function startCloudflare() {
  const cloudflare = {
    /** @type {Map<string, string>} */
    keys: new Map(),
    /** The secrets of each Worker of the account. */
    workers: new Map(),
    /** The accounts of the token. */
    accounts: [{ id: ACCOUNT, name: "shop" }],
    limits: { ...LIMITS },
    /** In milliseconds. */
    now: () => performance.now(),
    /** What was asked for, as in `PUT bulk`. */
    /** @type {string[]} */
    calls: [],
    /** How many entries each bulk write had. */
    /** @type {number[]} */
    writes: [],
    /** What the requests came to: `keys` in requests and answers, `bytes` of both. */
    counts: { keys: 0, bytes: 0 },
    /** @type {(call: string, number: number) => Trouble | undefined | Promise<Trouble | undefined>} */
    trouble: () => undefined,
    /** The environment for the commands. */
    env: {},
    /** Forgets the calls so far. */
    forget() {
      cloudflare.calls.length = 0;
      cloudflare.writes.length = 0;
      cloudflare.counts = { keys: 0, bytes: 0 };
      gate.forget();
    },
    stop: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
  const gate = new Gate(cloudflare);
  const server = http.createServer((request, response) => {
    answer(cloudflare, gate, request, response).catch((error) => response.destroy(error));
  });
  cloudflare.env = {
    CLOUDFLARE_API_BASE_URL: await listen(server),
    CLOUDFLARE_API_TOKEN: "a-token",
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  };
  return cloudflare;
}

/** Counts requests, and says for how long it takes no more. */
class Gate {
  #cloudflare;
  #times = [];
  #closedUntil = -Infinity;

  constructor(cloudflare) {
    this.#cloudflare = cloudflare;
  }

  forget() {
    this.#times = [];
    this.#closedUntil = -Infinity;
  }

  closedMs() {
    const { limits, now } = this.#cloudflare;
    const time = now();
    this.#times = this.#times.filter((other) => other > time - limits.spanMs);
    this.#times.push(time);
    if (this.#closedUntil <= time && this.#times.length > limits.requests) this.#closedUntil = time + limits.spanMs;
    return Math.max(0, this.#closedUntil - time);
  }
}

async function answer(cloudflare, gate, request, response) {
  const body = await text(request);
  const url = new URL(request.url, "http://cloudflare");
  const path = url.pathname
    .replace(`/accounts/${ACCOUNT}/storage/kv/namespaces/${NAMESPACE}/`, "")
    .replace(`/accounts/${ACCOUNT}/workers/scripts/`, "worker ");
  const call = `${request.method} ${path}`;
  cloudflare.calls.push(call);
  cloudflare.counts.bytes += Buffer.byteLength(body);
  const trouble = await cloudflare.trouble(call, cloudflare.calls.length);
  const send = (status, rest, headers = {}) => {
    const sent = { success: status < 400, errors: [], messages: [], result: null, ...rest };
    const out = Buffer.from(trouble?.text ?? JSON.stringify(sent));
    cloudflare.counts.bytes += out.length;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(out);
  };
  const closedMs = gate.closedMs();
  if (closedMs > 0) {
    const errors = [{ code: 971, message: "Please wait and consider throttling your request speed" }];
    return send(429, { errors }, { "retry-after": Math.ceil(closedMs / 1000) });
  }
  if (request.headers.authorization !== "Bearer a-token") return send(403, { errors: [{ code: 10000, message: "Authentication error" }] });
  if (trouble === "silence") return;
  if (trouble === "break") return request.socket.destroy();
  const status = trouble?.status ?? trouble;
  const unavailable = { errors: [{ code: 10001, message: "service unavailable" }] };
  if (typeof status === "number") return send(status, unavailable, trouble.headers);
  if (call === "GET /accounts") return send(200, { result: cloudflare.accounts });
  const act = actions[call] ?? workerAction(call);
  if (!act) return send(404, { errors: [{ code: 7003, message: `Could not route to ${call}` }] });
  const outcome = act(cloudflare, {
    body: body && JSON.parse(body),
    bytes: Buffer.byteLength(body),
    query: url.searchParams,
    leftOut: trouble?.leftOut ?? [],
  });
  if (trouble === "lost") return request.socket.destroy();
  send(outcome.status ?? 200, outcome);
}

const actions = {
  "PUT bulk"({ keys, writes, counts, limits }, { body, bytes, leftOut }) {
    if (body.length > limits.writeKeys) return refused("too many keys");
    if (bytes > limits.writeBytes) return refused("request too large", 10013, 413);
    const taken = body.filter(({ key }) => !leftOut.includes(key));
    for (const { key, value } of taken) keys.set(key, value);
    writes.push(body.length);
    counts.keys += body.length;
    return { result: { successful_key_count: taken.length, unsuccessful_keys: leftOut } };
  },
  "POST bulk/delete"({ keys, counts, limits }, { body, leftOut }) {
    if (body.length > limits.writeKeys) return refused("too many keys");
    const taken = body.filter((key) => !leftOut.includes(key));
    for (const key of taken) keys.delete(key);
    counts.keys += body.length;
    return { result: { successful_key_count: taken.length, unsuccessful_keys: leftOut } };
  },
  "POST bulk/get"({ keys, counts, limits }, { body }) {
    if (body.type !== "text" || body.keys.length > limits.getKeys) return refused("expected at most 100 keys, as text");
    const values = Object.fromEntries(body.keys.map((key) => [key, keys.get(key) ?? null]));
    const bytes = Object.values(values).reduce((sum, value) => sum + Buffer.byteLength(value ?? ""), 0);
    if (bytes > limits.answerBytes) return refused("Total size of request exceeds the limit of 25MB", 10000, 413);
    counts.keys += body.keys.length;
    return { result: { values } };
  },
  "GET keys"({ keys, counts }, { query }) {
    const limit = Number(query.get("limit"));
    if (limit < 10 || limit > LIST_PAGE) return refused("expected a limit of 10 to 1000");
    const all = [...keys.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
    const start = Number(query.get("cursor") ?? 0);
    const page = all.slice(start, start + limit);
    const cursor = start + page.length < all.length ? String(start + page.length) : "";
    counts.keys += page.length;
    return { result: page.map((name) => ({ name })), result_info: { count: page.length, cursor } };
  },
};

/** `GET worker NAME/secrets`, `GET worker NAME/deployments` */
function workerAction(call) {
  const [, name, what] = /^GET worker ([^/]+)\/(secrets|deployments)$/.exec(call) ?? [];
  if (name === undefined) return undefined;
  return ({ workers }) => {
    if (!workers.has(name)) return refused("This Worker does not exist on your account.", 10007, 404);
    const secrets = workers.get(name).map((secret) => ({ name: secret, type: "secret_text" }));
    return { result: what === "secrets" ? secrets : { deployments: [] } };
  };
}

const refused = (message, code = 10009, status = 400) => ({ status, success: false, errors: [{ code, message }] });

/** Time that passes only while somebody waits. */
export class Clock {
  time = 0;
  /** What a person would have read. */
  lines = [];
  now = () => this.time;
  wait = async (ms) => {
    this.time += ms;
  };
  tell = (line) => this.lines.push(line);
}

/** The text of a wrangler.jsonc whose environment `staging` has the namespace. */
export const CONFIG = `{
  "name": "order-cost", // the shop's
  "compatibility_date": "2026-04-26",
  "env": {
    "staging": { "kv_namespaces": [{ "binding": "CATALOGUE", "id": "${NAMESPACE}" }] },
    "unprepared": { "kv_namespaces": [{ "binding": "CATALOGUE", "id": "<id of the namespace>" }] },
    "bare": {},
  },
}`;
