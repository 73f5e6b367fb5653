// The service as a Worker in workerd, with KV, service bindings and rate limiter.
import { readFile } from "node:fs/promises";
import { MOST_BULK_KEYS } from "../../pkg/catalogue/keys.js";
import { READER } from "../../worker/migration/local-captures.js";
import { UNHURRIED } from "../until.js";
import { bundle, startWorkerd } from "./workerd.js";

const CONFIG = "worker/wrangler.dev.jsonc";
const DEMO = { NATIONWIDE: "worker/services/nationwide/wrangler.jsonc", COUPONS: "worker/services/coupons/wrangler.jsonc" };
const STORES = { CATALOGUE: "catalogue", VOUCHERS: "vouchers" };
const BUCKET = "decisions";
const SERVICES = { NATIONWIDE: "nationwide", COUPONS: "coupons" };

const readFake = (name) => readFile(new URL(`fakes/${name}`, import.meta.url), "utf8");

/** @type {import("./platforms.js").Platform} */
export const workerd = {
  name: "workerd",

  async start({ copies, fakes = [] }) {
    const [app, copy, worker, fake, ...demos] = await Promise.all([
      bundle(CONFIG),
      readFake("copies.js"),
      readFake("worker.js"),
      readFake("fake.js"),
      ...(usesDemo(copies) ? Object.values(DEMO).map(bundle) : []),
    ]);
    const { compatibilityDate, compatibilityFlags } = app;
    const modules = [
      { type: "ESModule", path: "worker.js", contents: worker },
      { type: "ESModule", path: "fake.js", contents: fake },
    ];
    const started = await startWorkerd([
      workerOf(app, copies, copy),
      ...fakes.map((name) => ({ name, modules, compatibilityDate, compatibilityFlags })),
      ...demos,
      ...(Object.values(copies).some(({ decisions }) => decisions) ? [{ ...READER, name: "reader", r2Buckets: { CAPTURE: BUCKET } }] : []),
    ]);
    const { logs, url, stop } = started;

    return {
      logs,
      url: (copy) => url("copies", copy),
      async keep(texts) {
        const [catalogue, vouchers] = await Promise.all(Object.keys(STORES).map((binding) => started.kv("copies", binding)));
        await Promise.all(Object.entries(texts).map(([key, text]) => (key.startsWith("voucher:") ? vouchers : catalogue).put(key, text)));
      },
      captures: async () => new Map((await (await fetch(await url("reader"))).json()).texts),
      control: async (name, change) => void (await fetch(await url(name), { method: "PUT", body: JSON.stringify(change) })),
      state: async (name) => (await fetch(await url(name))).json(),
      stop,
    };
  },

  async refusal(vars) {
    const app = await bundle(CONFIG);
    const started = await startWorkerd([{ ...app, name: "refused", bindings: { ...app.bindings, ...UNHURRIED, ...vars } }]).catch(
      (error) => error,
    );
    if (started instanceof Error) return started.message;
    await started.stop();
    throw new Error("It started");
  },

  from: (address) => ({ "cf-connecting-ip": address }),

  says: {
    /** The log's cause when the catalogue's store fails with a message. */
    catalogueFailed: (message) => new RegExp(`^${message}$`), // KV's own words
    /** What an order says and the log adds when the vouchers' store fails, and when its record of a voucher is no JSON. */
    vouchersFailed: { message: "The voucher store did not answer", cause: (message) => message },
    voucherCorrupt: (id) => `Invalid answer from lookupVouchers: ${id}: expected JSON`,
    vouchersDown: { part: "fakes/Store", message: "The voucher store did not answer", cause: "KV GET failed: 500" },
    /** The log's cause when the service is not there: a binding throws the service's own text. */
    unreachable: /^\d+ characters that LOG_SERVICE_TEXT=1 would log$/,
    /** Variables that name a store for captures. A binding is an object, not a text: for the start, that is no difference. */
    decisions: { DECISIONS: "a bucket" },
    /** Variables of the platform in the line of the start. */
    options: {},
    hasRay: true,
    /** The sizes of the reads of `count` texts. */
    readsOf: (count) => [...Array(Math.floor(count / MOST_BULK_KEYS)).fill(MOST_BULK_KEYS), count % MOST_BULK_KEYS],
  },

  http: {
    /** Whether the parser refuses a request that others take, before the service sees it. */
    refuses: () => false,
    /** Whether it takes a header, a path or a size of a chunk that others refuse. */
    takes: () => false,
  },

  faults: [
    {
      name: "the rate limiter fails",
      parts: { limiter: "fakes/Limiter" },
      expect: { status: 200 },
      other: { level: "error", event: "rate-limit", message: "The rate limiter failed", cause: "rate limiter: internal error" },
    },
    {
      name: "a fault of the Worker itself",
      vars: { RATE_LIMITER: "no binding" },
      expect: { status: 500, code: "INTERNAL", message: "Internal error" },
      other: { level: "error", event: "fault", message: "The service failed" },
      ready: [503, { error: "The access check: RATE_LIMITER is no rate limiter" }],
    },
  ],
};

const usesDemo = (copies) => Object.values(copies).some(({ nationwide, coupons }) => nationwide === "demo" || coupons === "demo");

/** One Worker for all copies: each has a port, variables and bindings of its own. In one Worker each they would take minutes to load. */
function workerOf(app, copies, module) {
  const own = Object.entries(copies).map(([name, copy]) => [name, bindingsOf(app, name, copy)]);
  const all = (kind) => Object.assign({}, ...own.map(([, bindings]) => bindings[kind]));
  const entries = Object.keys(copies).map((name, index) => `const c${index} = copyOf("${name}"); export { c${index} as "${name}" };`);
  const code = ['import { copyOf } from "./copies.js";', 'export { default } from "./worker.js";', ...entries].join("\n");
  return {
    ...app,
    name: "copies",
    modules: [
      { type: "ESModule", path: "entries.js", contents: code },
      { type: "ESModule", path: "copies.js", contents: module },
      ...app.modules,
    ],
    unsafeDirectSockets: Object.keys(copies).map((entrypoint) => ({ host: "127.0.0.1", port: 0, entrypoint })),
    bindings: { COPIES: Object.fromEntries(own.map(([name, { vars, bindings }]) => [name, { vars, bindings }])) },
    serviceBindings: all("services"),
    ratelimits: all("limits"),
    r2Buckets: { bucket: BUCKET },
    cache: false, // they would share it
  };
}

/** A copy's variables, which of the Worker's bindings it has, and those of the Worker's that it needs. */
function bindingsOf(app, name, { vars, limit, limiter, ...parts }) {
  const bindings = {};
  const services = {};
  for (const [binding, part] of Object.entries({ ...STORES, ...SERVICES })) {
    const is = parts[part];
    if (is === undefined) continue;
    bindings[binding] = is === "kept" ? binding : is;
    if (is === "demo") services[(bindings[binding] = binding)] = app.serviceBindings[binding];
    else if (is !== "kept") services[is] = linkOf(is);
  }
  if (limiter) services[(bindings.RATE_LIMITER = limiter)] = linkOf(limiter);
  if (limit) bindings.RATE_LIMITER = `limit of ${name}`;
  if (parts.decisions) bindings.DECISIONS = "bucket";
  const limits = limit && { [bindings.RATE_LIMITER]: { simple: { limit, period: 60 } } };
  return { vars: { ...app.bindings, ...UNHURRIED, ...vars }, bindings, services, limits };
}

function linkOf(link) {
  const [name, entrypoint] = link.split("/");
  return entrypoint === "Service" ? name : { name, entrypoint };
}
