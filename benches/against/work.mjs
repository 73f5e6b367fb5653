// Measures one checkout in a process of its own: prints the CPU time of an order in µs, and what its prices take.
//   node work.mjs <checkout> <catalogue folder> <what is measured> <seconds>
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { cpuMs } from "../../tests/worker/alone.js";
import { codeIn, recordOf } from "../edge/index.js";
import { makeReceiptKey } from "../measure/index.js";
import { createLean } from "./lean.js";

const [checkout, folder, name, seconds] = process.argv.slice(2);
/** A measure of orders of one line ends with `One`. */
const LINES = name.endsWith("One") ? 1 : 20;
const ORDERS = 2_000;
const MOST_LINES = 2_000;
/** So many orders are under way at once, where they come by HTTP. */
const CONNECTIONS = 16;

const load = (file) => import(pathToFileURL(join(checkout, file)).href);
const texts = (file) => readFileSync(join(folder, file.replace(":", "/")), "utf8");

async function openCatalogue() {
  const { createCatalogue } = await load("pkg/catalogue.js");
  return createCatalogue({ read: (names) => new Map(names.map((name) => [name, texts(name)])), refreshMs: Infinity, maxAgeMs: Infinity });
}

/** What prices a body, by what is measured. */
const MEASURES = {
  async constant() {
    const record = '{"price":12.5,"originalPrice":20,"weight":0.3}';
    return ofPackage({ lookupPrices: (keys) => keys.map(() => record) });
  },

  async catalogue() {
    const catalogue = await openCatalogue();
    const { lookupPrices } = await catalogue.version();
    return { ...(await ofPackage({ lookupPrices })), cachedBytes: () => catalogue.state().cachedBytes };
  },

  now: atOnce,
  nowOne: atOnce,

  /** Not this checkout, but what a shop would write by hand. */
  lean: inFloats,
  leanOne: inFloats,

  /** A host that asks the catalogue in a function of its own. */
  async wrapped() {
    const catalogue = await openCatalogue();
    const { lookupPrices } = await catalogue.version();
    return ofPackage({ lookupPrices: (keys) => lookupPrices(keys) });
  },

  /** Node's service in its process, without HTTP. */
  async service() {
    const [{ createService }, { onNode }] = await Promise.all([
      load("worker/src/service/index.js"),
      load("worker/src/node/platform/index.js"),
    ]);
    const env = { CATALOGUE_DIR: folder, LOG_SAMPLE: "0" };
    console.log = () => {}; // its line at the start
    const { answer } = createService(onNode(env), env);
    const { hangingUp, reading } = await load("pkg/internal.js");
    return { price: hangingUp ? asRequest(answer, hangingUp, reading) : asPlainRequest(answer, reading) };
  },

  http: () => ofProgram({}),

  keyed: async () => ofProgram({ API_KEYS: KEY, METRICS_PORT: "0", RECEIPT_KEY: await makeReceiptKey(), LOG_SAMPLE: "1" }),

  async workerd() {
    const [{ startAlone }, { outsideOf }, { bundle }] = await Promise.all(
      ["alone", "largest-order", "workerd"].map((name) => load(`tests/worker/${name}.js`)),
    );
    const bindings = { DATA_REFRESH_SECONDS: "86400", DATA_MAX_AGE_SECONDS: "86400" };
    const workerd = await startAlone({ ...(await bundle("tests/hostile/wrangler.jsonc")), bindings }, outsideOf(allTexts()));
    const price = async (body) => {
      const response = await fetch(`${workerd.url()}/calculatecost4`, { method: "POST", body });
      return new Uint8Array(await response.arrayBuffer());
    };
    return { price, cpuUs: async () => 1_000 * (await workerd.cpuMs()), memory: workerd.memory, stop: workerd.stop };
  },
};

/** At once, once the catalogue has the prices in memory. A checkout without the method waits. */
async function atOnce() {
  const { lookupPrices } = await (await openCatalogue()).version();
  const { pricer, price } = await ofPackage({ lookupPrices });
  return { fill: price, price: pricer.calculateJsonNow ?? price };
}

async function inFloats() {
  const { products } = JSON.parse(readFileSync(join(folder, "..", "shop.json"), "utf8"));
  const codes = Array.from({ length: products }, (_, index) => codeIn(products, index));
  return { price: createLean(new Map(codes.map((code) => [code, JSON.parse(recordOf(code))]))) };
}

const CONTEXT = { waitUntil() {} };

/** As listener.js calls the service: without streams of the web. */
const asPlainRequest = (answer, reading) => (body) => {
  const order = { method: "POST", url: "http://service.example/calculatecost4", headers: { get: () => null }, [reading]: () => body };
  const answered = answer(order, CONTEXT);
  return answered instanceof Promise ? answered.then((one) => one.body) : answered.body;
};

/** The same of a checkout whose service takes a `Request`. */
const asRequest = (answer, hangingUp, reading) => async (body) => {
  const hangUp = new AbortController();
  const order = new Request("http://service.example/calculatecost4", { method: "POST" });
  Object.defineProperty(order, "signal", { value: hangUp.signal });
  Object.assign(order, { [hangingUp]: hangUp, [reading]: async () => body });
  return new Uint8Array(await (await answer(order, CONTEXT)).arrayBuffer());
};

const KEY = "benchmark";

/** The service as a program of one process, with these variables. Its CPU time counts, not that of the client here. */
async function ofProgram(variables) {
  const env = { PATH: process.env.PATH, PORT: "0", WORKERS: "1", CATALOGUE_DIR: folder, LOG_SAMPLE: "0", ...variables };
  const program = spawn(process.execPath, [join(checkout, "worker/src/node/main.js")], { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve) =>
    createInterface(program.stdout).on("line", (line) => line.includes('"event":"listening"') && resolve(JSON.parse(line).url)),
  );
  const children = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, "utf8").trim().split(" ").map(Number);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { method: "POST", agent, headers: { authorization: `Bearer ${KEY}` } };
  const price = (body) =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/calculatecost4`, { ...options, headers: { ...options.headers, "content-length": body.length } });
      sent.once("response", (response) => resolve(buffer(response))).once("error", reject);
      sent.end(body);
    });
  const cpuUs = async () => 1_000 * (await Promise.all(children.map(cpuMs))).reduce((sum, ms) => sum + ms, 0);
  return { price, cpuUs, together: CONNECTIONS, stop: () => program.kill("SIGKILL") };
}

/** Everything that a store has, by key. */
function allTexts() {
  const kinds = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = kinds.flatMap(({ name: kind }) => readdirSync(join(folder, kind)).map((hash) => `${kind}:${hash}`));
  return new Map(["current", ...names].map((name) => [name, texts(name)]));
}

async function ofPackage(host) {
  const { createPricer } = await load("pkg/node.js");
  const pricer = await createPricer(host);
  return { pricer, price: (body) => pricer.calculateJson(body) };
}

const { branchId, firstCode, products } = JSON.parse(readFileSync(join(folder, "..", "shop.json"), "utf8"));
let seed = 1;
const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
const bodyOf = (codes) => {
  const productList = codes.map((cprcode, line) => ({ cprcode, productName: `Product ${line}`, quantity: 1 + (line % 5) }));
  return Buffer.from(JSON.stringify({ branchId, productList }));
};
const range = (length, of) => Array.from({ length }, (_, index) => of(index));
const orders = range(ORDERS, () => bodyOf(range(LINES, () => firstCode + Math.floor(random() * products))));

function ownCpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const {
  price,
  fill = price,
  together = 1,
  cachedBytes,
  cpuUs = ownCpuUs,
  memory = () => process.memoryUsage().rss,
  stop,
} = await MEASURES[name]();
for (let first = 0; first < products; first += MOST_LINES) {
  await fill(bodyOf(range(Math.min(MOST_LINES, products - first), (line) => firstCode + first + line)));
}
const answer = Buffer.from(await price(orders[0])).toString();
for (const order of orders) await price(order);
const rss = await memory(); // before the timed rounds: who is faster makes more garbage in them

let best = Infinity;
for (const end = performance.now() + 1_000 * Number(seconds); performance.now() < end; ) {
  const before = await cpuUs();
  for (let first = 0; first < ORDERS; first += together) {
    const priced = together === 1 ? price(orders[first]) : Promise.all(orders.slice(first, first + together).map(price));
    if (priced instanceof Promise) await priced;
  }
  best = Math.min(best, ((await cpuUs()) - before) / ORDERS);
}
const found = { us: best, answer, cachedBytes: cachedBytes?.(), rss };
await stop?.();
process.stdout.write(`\n${JSON.stringify(found)}\n`);
process.exit();
