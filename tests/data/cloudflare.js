// A stand-in for Cloudflare's API: what wrangler 4.86 asks for in `wrangler kv …`, on keys in memory, and about Workers.
import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
export const NAMESPACE = "fedcba9876543210fedcba9876543210";
const LIST_PAGE = 1000; // Cloudflare's

/**
 * How a call goes wrong: the status of the answer; `"break"`: the connection ends before anything is done; `"lost"`: it
 * ends after everything is done; `{ leftOut }`: a bulk write that Cloudflare takes but for these keys.
 * @typedef {number | "break" | "lost" | { leftOut: string[] }} Trouble
 */

export async function startCloudflare() {
  const cloudflare = {
    /** @type {Map<string, string>} */
    keys: new Map(),
    /** The secrets of each Worker of the account. */
    workers: new Map(),
    /** What was asked for, as in `PUT bulk`. */
    calls: [],
    /** How many entries each bulk write had. */
    writes: [],
    /** @type {(call: string, number: number) => Trouble | undefined | Promise<Trouble | undefined>} */
    trouble: () => undefined,
    /** The environment for wrangler. */
    env: undefined,
    stop: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
  const server = http.createServer((request, response) => {
    answer(cloudflare, request, response).catch((error) => response.destroy(error));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  cloudflare.env = {
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    CLOUDFLARE_API_TOKEN: "a-token",
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  };
  return cloudflare;
}

async function answer(cloudflare, request, response) {
  const body = await text(request);
  const url = new URL(request.url, "http://cloudflare");
  const path = url.pathname
    .replace(`/accounts/${ACCOUNT}/storage/kv/namespaces/${NAMESPACE}/`, "")
    .replace(`/accounts/${ACCOUNT}/workers/scripts/`, "worker ");
  const call = `${request.method} ${path}`;
  cloudflare.calls.push(call);
  const trouble = await cloudflare.trouble(call, cloudflare.calls.length);
  const send = (status, rest) => {
    response.writeHead(status, { "content-type": "application/json" });
    // Pretty, as Cloudflare may answer.
    response.end(JSON.stringify({ success: status < 400, errors: [], messages: [], result: null, ...rest }, null, 2));
  };
  if (request.headers.authorization !== "Bearer a-token")
    return send(403, { errors: [{ code: 10000, message: "Authentication error" }] });
  if (trouble === "break") return request.socket.destroy();
  if (typeof trouble === "number") return send(trouble, { errors: [{ code: 10001, message: "service unavailable" }] });
  if (call === "GET /memberships") return send(200, { result: [{ account: { id: ACCOUNT, name: "shop" } }] });
  const act = actions[call] ?? workerAction(call);
  if (!act) return send(404, { errors: [{ code: 7003, message: `Could not route to ${call}` }] });
  const outcome = act(cloudflare, {
    body: body && JSON.parse(body),
    query: url.searchParams,
    leftOut: trouble?.leftOut ?? [],
  });
  if (trouble === "lost") return request.socket.destroy();
  send(outcome.status ?? 200, outcome);
}

const actions = {
  "PUT bulk"({ keys, writes }, { body, leftOut }) {
    if (body.length > 10_000) return refused("too many keys");
    const taken = body.filter(({ key }) => !leftOut.includes(key));
    for (const { key, value } of taken) keys.set(key, value);
    writes.push(body.length);
    return { result: { successful_key_count: taken.length, unsuccessful_keys: leftOut } };
  },
  "DELETE bulk"({ keys }, { body }) {
    for (const key of body) keys.delete(key);
    return { result: { successful_key_count: body.length, unsuccessful_keys: [] } };
  },
  "POST bulk/get"({ keys }, { body }) {
    if (body.keys.length > 100) return refused("too many keys");
    return { result: { values: Object.fromEntries(body.keys.map((key) => [key, keys.get(key) ?? null])) } };
  },
  "GET keys"({ keys }, { query }) {
    const all = [...keys.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
    const start = Number(query.get("cursor") ?? 0);
    const page = all.slice(start, start + LIST_PAGE);
    const cursor = start + page.length < all.length ? String(start + page.length) : "";
    return { result: page.map((name) => ({ name })), result_info: { count: page.length, cursor } };
  },
};

/** `GET worker NAME/secrets`, `GET worker NAME/deployments` */
function workerAction(call) {
  const [, name, what] = /^GET worker ([^/]+)\/(secrets|deployments)$/.exec(call) ?? [];
  if (name === undefined) return undefined;
  return ({ workers }) => {
    if (!workers.has(name)) return { ...refused("This Worker does not exist on your account.", 10007), status: 404 };
    const secrets = workers.get(name).map((secret) => ({ name: secret, type: "secret_text" }));
    return { result: what === "secrets" ? secrets : { deployments: [] } };
  };
}

const refused = (message, code = 10009) => ({ status: 400, success: false, errors: [{ code, message }] });

/** The text of a wrangler.jsonc whose environment `staging` has the namespace. */
export const CONFIG = `{
  "name": "order-cost", // the shop's
  "compatibility_date": "2026-04-01",
  "env": {
    "staging": { "kv_namespaces": [{ "binding": "CATALOGUE", "id": "${NAMESPACE}" }] },
    "unprepared": { "kv_namespaces": [{ "binding": "CATALOGUE", "id": "<id of the namespace>" }] },
    "bare": {},
  },
}`;
