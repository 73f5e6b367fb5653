// The command `npm run preflight`: every fault planted, and none, with a stand-in for Cloudflare's API. The real wrangler has
// its say where its rules are the point.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Fault } from "../../worker/command-line/fault.js";
import { Pace } from "../../worker/command-line/pace.js";
import { readSettings } from "../../worker/data/store/binding.js";
import { Cloudflare } from "../../worker/data/store/cloudflare-api.js";
import { activate } from "../../worker/data/versions/activate.js";
import { bindingFaults, DEMO } from "../../worker/preflight/bindings.js";
import { usableVersion } from "../../worker/preflight/current.js";
import { preflight } from "../../worker/preflight/preflight.js";
import { main } from "../../worker/preflight/program.js";
import { secretFaults, variableFaults } from "../../worker/preflight/variables.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { Clock, NAMESPACE, startCloudflare } from "./cloudflare.js";
import { MemoryStore } from "./memory-store.js";
import { ENVIRONMENT, run } from "./run.js";
import { makeVersion, smallVersion } from "./versions.js";

const path = (name) => fileURLToPath(new URL(`../../worker/${name}`, import.meta.url));
const read = async (name) => (await readSettings(path(name))).top;

let cloudflare;
let published;

before(async () => {
  cloudflare = await startCloudflare();
  published = await inUse(await smallVersion(1, { zones: "{}" }));
});

beforeEach(() => {
  cloudflare.keys = new Map(published);
  cloudflare.workers = new Map([
    ["order-cost-production", ["API_KEYS"]],
    ["shop-rates", []],
    ["shop-coupons", []],
  ]);
  cloudflare.trouble = () => undefined;
  cloudflare.calls.length = 0;
});

after(() => cloudflare?.stop());

/** The keys of a store in which a version is in use. */
async function inUse({ manifest, texts }) {
  const store = new MemoryStore();
  for (const [key, text] of texts) store.keys.set(key, text);
  store.keys.set(`version:${manifest.id}`, JSON.stringify(manifest));
  await activate(store, manifest.id, {}, () => new Date("2026-11-23T09:05:35.000Z"));
  return store.keys;
}

/** The project's own wrangler.jsonc with all filled in that a shop fills in. */
async function filledIn() {
  const settings = await read("wrangler.jsonc");
  settings.main = path("src/worker.js");
  for (const { kv_namespaces, services } of Object.values(settings.env)) {
    for (const namespace of kv_namespaces) namespace.id = NAMESPACE;
    for (const service of services) service.service = { NATIONWIDE: "shop-rates", COUPONS: "shop-coupons" }[service.binding];
  }
  settings.workers_dev = false;
  return settings;
}

const production = async (change = () => {}) => {
  const settings = await filledIn();
  change(settings.env.production, settings);
  return settings;
};

/** A wrangler that has nothing to say. */
const tryOut = async () => ({ complaints: [], isReadable: true });

const type = (args, more) => run(main, args, { env: { ...ENVIRONMENT, ...cloudflare.env }, pace: new Pace(new Clock()), tryOut, ...more });

/** Runs the command on a wrangler.jsonc of its own. */
async function check(context, settings, args = [], more = {}) {
  return type(["--env", "production", "--config", await written(context, settings), ...args], more);
}

const REAL_WRANGLER = { tryOut: undefined };

async function written(context, settings) {
  const config = join(temporaryFolder(context), "wrangler.jsonc");
  await writeFile(config, JSON.stringify(settings));
  return config;
}

/** The faults, in this process, where no time passes between two tries. */
async function faultsOf(context, settings, env = {}) {
  const config = await written(context, settings);
  const its = new Cloudflare({ environment: { ...cloudflare.env, ...env }, pace: new Pace(new Clock()) });
  return (await preflight({ config, env: "production", without: [] }, { cloudflare: its, tryOut })).faults;
}

const faulty = (...faults) => ({
  code: 1,
  out: faults.map((fault) => `${fault}\n`).join(""),
  err: `\n${faults.length === 1 ? "1 fault" : `${faults.length} faults`}: production cannot be deployed\n`,
});

const ANONYMOUS =
  'anonymous: order-cost-production has no secret API_KEYS, so anybody may order: run "npx wrangler secret put API_KEYS --env production", or set ALLOW_ANONYMOUS to 1';
const NONE_IN_USE =
  'no current version: CATALOGUE has no key current: run "npm run data -- status --remote --env production", and activate a version';

describe("a configuration that can be deployed", () => {
  it("exit 0, and what was checked", async (context) => {
    const { id } = JSON.parse(cloudflare.keys.get("current"));
    assert.deepEqual(await check(context, await production(), [], REAL_WRANGLER), {
      code: 0,
      out: `production can be deployed. Checked:
  the bindings of order-cost-production: CATALOGUE, VOUCHERS, NATIONWIDE, COUPONS, RATE_LIMITER, CF_VERSION_METADATA
  11 variables
  wrangler deploy --dry-run warns of nothing
  orders need a key: API_KEYS is a secret
  NATIONWIDE: the account has the Worker shop-rates
  COUPONS: the account has the Worker shop-coupons
  the version in use: ${id} since 2026-11-23T09:05:35.000Z, with all its texts
`,
      err: "",
    });
    assert.ok(
      cloudflare.calls.every((call) => /^(GET|POST bulk\/get)/.test(call)),
      "nothing is written",
    );
  });

  it("on workers.dev alone: it can be, and says what that costs", async (context) => {
    const settings = await production((_, top) => {
      top.workers_dev = true;
    });
    const { code, err } = await check(context, settings);
    assert.equal(code, 0);
    assert.match(err, /^warning: workers\.dev has no Cache API: /);
  });

  it("without keys on purpose, and without what the shop does not need", async (context) => {
    cloudflare.workers.delete("order-cost-production"); // the first deployment
    const settings = await production((scope) => {
      scope.vars = { ALLOW_ANONYMOUS: "1", COUPONS_URL: "https://coupons.shop.example" };
      scope.services = [];
      scope.kv_namespaces = scope.kv_namespaces.filter(({ binding }) => binding === "CATALOGUE");
    });
    const { code, out } = await check(context, settings, ["--without", "VOUCHERS,NATIONWIDE"]);
    assert.equal(code, 0, out);
    assert.match(out, /anybody may order: ALLOW_ANONYMOUS is 1/);
  });
});

describe("the project's own configuration", () => {
  for (const env of ["staging", "production"]) {
    it(`${env}: what a shop has to fill in`, async () => {
      cloudflare.workers.clear();
      const { code, out, err } = await type(["--env", env]);
      assert.equal(code, 1);
      const create = (name) => `put in the id that "npx wrangler kv namespace create ${name} --env ${env}" prints`;
      const service = "still has <name of the Worker>: put in the name of the shop's own Worker";
      assert.deepEqual(out.trim().split("\n"), [
        `placeholder: CATALOGUE still has <id of the namespace>: ${create("CATALOGUE")}`,
        `placeholder: VOUCHERS still has <id of the namespace>: ${create("VOUCHERS")}`,
        `placeholder: NATIONWIDE ${service}`,
        `placeholder: COUPONS ${service}`,
        ANONYMOUS.replaceAll("production", env),
        "no current version: CATALOGUE has no namespace yet",
      ]);
      assert.equal(err, `\n6 faults: ${env} cannot be deployed\n`);
    });
  }

  it("npm run deploy stops before anything is deployed", async () => {
    const env = { ...process.env, ...cloudflare.env };
    const options = { cwd: path(""), env };
    const [code, out] = await new Promise((resolve) =>
      execFile("npm", ["run", "deploy"], options, (error, stdout) => resolve([error?.code, stdout])),
    );
    assert.equal(code, 1);
    assert.match(out, /^placeholder: CATALOGUE /m);
    assert.ok(
      cloudflare.calls.every((call) => call.startsWith("GET ")),
      "nothing is written",
    );
  });

  it("the demo is what the demo's configurations say", async () => {
    const [demo, ...services] = await Promise.all(
      ["wrangler.dev.jsonc", "services/nationwide/wrangler.jsonc", "services/coupons/wrangler.jsonc"].map(read),
    );
    assert.deepEqual(
      DEMO.services,
      services.map(({ name }) => name),
    );
    assert.deepEqual(
      DEMO.namespaces,
      demo.kv_namespaces.map(({ id }) => id),
    );
    assert.ok(demo.assets.directory.endsWith(DEMO.page));
  });
});

describe("one fault in the bindings", () => {
  const without = (name) => (scope) => {
    for (const key of ["kv_namespaces", "services", "ratelimits"]) {
      scope[key] = scope[key].filter((binding) => (binding.binding ?? binding.name) !== name);
    }
  };
  const bind = (list, name, field, value) => (scope) => {
    scope[list].find((binding) => (binding.binding ?? binding.name) === name)[field] = value;
  };
  const CREATE = 'put in the id that "npx wrangler kv namespace create VOUCHERS --env production" prints';
  const OWN = "put in the name of the shop's own Worker";
  const INVENTED = "which answers with invented data";
  for (const [what, change, fault] of [
    ["a placeholder of a namespace", bind("kv_namespaces", "VOUCHERS", "id", "<id>"), `placeholder: VOUCHERS still has <id>: ${CREATE}`],
    ["an empty id", bind("kv_namespaces", "VOUCHERS", "id", " "), `placeholder: VOUCHERS has nothing filled in: ${CREATE}`],
    ["no id", bind("kv_namespaces", "VOUCHERS", "id", undefined), `placeholder: VOUCHERS has nothing filled in: ${CREATE}`],
    ["a placeholder of a service", bind("services", "COUPONS", "service", "<name>"), `placeholder: COUPONS still has <name>: ${OWN}`],
    [
      "a placeholder of the rate limit",
      bind("ratelimits", "RATE_LIMITER", "namespace_id", "<n>"),
      "placeholder: RATE_LIMITER still has <n>: put in a number of your choice",
    ],
    [
      "a placeholder of a bucket",
      (scope) => (scope.r2_buckets = [{ binding: "DECISIONS", bucket_name: "<name>" }]),
      "placeholder: DECISIONS still has <name>: put in the bucket's name",
    ],
    [
      "a placeholder of an address",
      (scope) => (scope.routes = [{ pattern: "<host>", custom_domain: true }]),
      "placeholder: routes still has <host>: put in the service's address",
    ],
    ["an address for all environments", (_, top) => (top.route = "<host>/*"), undefined],
    ["a placeholder of that", (_, top) => (top.route = "<host>"), "placeholder: routes still has <host>: put in the service's address"],
    [
      "the demo's coupons",
      bind("services", "COUPONS", "service", "order-cost-coupons"),
      `demo service: COUPONS is bound to order-cost-coupons, ${INVENTED}: ${OWN}`,
    ],
    [
      "the demo's rates, deployed with --env",
      bind("services", "NATIONWIDE", "service", "order-cost-nationwide-production"),
      `demo service: NATIONWIDE is bound to order-cost-nationwide-production, ${INVENTED}: ${OWN}`,
    ],
    ["a service that only begins like the demo's", bind("services", "COUPONS", "service", "order-cost-coupons-of-the-shop"), undefined],
    [
      "the demo's namespace",
      bind("kv_namespaces", "VOUCHERS", "id", "order-cost-vouchers"),
      `demo namespace: VOUCHERS has the id order-cost-vouchers, which exists in wrangler.dev.jsonc only: ${CREATE}`,
    ],
    [
      "the demo's page",
      (scope) => (scope.assets = { directory: "../target/site/" }),
      "demo page: assets serves ../target/site/: remove assets",
    ],
    [
      "the demo's page for all environments",
      (_, top) => (top.assets = { directory: "../target/site" }),
      "demo page: assets serves ../target/site: remove assets",
    ],
    ["no prices", without("CATALOGUE"), "missing binding: CATALOGUE: every order fails without it: add it to kv_namespaces"],
    [
      "no vouchers",
      without("VOUCHERS"),
      "missing binding: VOUCHERS: orders with vouchers fail without it: add it to kv_namespaces, or set VOUCHERS_URL, or allow it with --without VOUCHERS",
    ],
    [
      "no rates",
      without("NATIONWIDE"),
      "missing binding: NATIONWIDE: orders with nationwide delivery fail without it: add it to services, or set NATIONWIDE_URL, or allow it with --without NATIONWIDE",
    ],
    [
      "no coupons",
      without("COUPONS"),
      "missing binding: COUPONS: orders with coupons fail without it: add it to services, or set COUPONS_URL, or allow it with --without COUPONS",
    ],
    [
      "no rate limit",
      without("RATE_LIMITER"),
      "missing binding: RATE_LIMITER: nobody's orders are limited without it: add it to ratelimits, or allow it with --without RATE_LIMITER",
    ],
    [
      "no version",
      (scope) => delete scope.version_metadata,
      "missing binding: CF_VERSION_METADATA: the log does not name the deployment without it: add it to version_metadata, or allow it with --without CF_VERSION_METADATA",
    ],
    ["a version under another name", (scope) => (scope.version_metadata.binding = "VERSION"), /^missing binding: CF_VERSION_METADATA/],
    [
      "a service where a namespace belongs",
      (scope) => {
        without("VOUCHERS")(scope);
        scope.services.push({ binding: "VOUCHERS", service: "x" });
      },
      /^missing binding: VOUCHERS/,
    ],
  ]) {
    it(what, async () => {
      const top = await production(change);
      const faults = bindingFaults({ top, scope: top.env.production }, "production", []);
      assert.equal(faults.length, fault === undefined ? 0 : 1, faults.join("\n"));
      if (fault instanceof RegExp) assert.match(faults[0], fault);
      else assert.equal(faults[0], fault);
    });
  }
});

describe("one fault in the variables", () => {
  const PUT = "npx wrangler secret put API_KEYS --env production";
  for (const [what, vars, fault] of [
    ["a wrong value", { DEADLINE_MS: "soon" }, 'variable: DEADLINE_MS: expected an integer of 0 or more, got "soon"'],
    [
      "a value that is no text",
      { MAX_PRODUCTS: { most: 5 } },
      'variable: MAX_PRODUCTS: expected an integer of 1 or more, got "[object Object]"',
    ],
    [
      "a value that the package would refuse",
      { DEADLINE_MS: "3000000000" },
      'variable: DEADLINE_MS: expected an integer of at most 2147483647, got "3000000000"',
    ],
    ["a placeholder", { COUPONS_URL: "<URL>" }, "placeholder: COUPONS_URL still has <URL>: put in its value, or remove it"],
    ["keys in plain text", { API_KEYS: "s3cret" }, `variable: API_KEYS is in plain text: remove it, and make new keys a secret ("${PUT}")`],
    [
      "the key of receipts in plain text",
      { RECEIPT_KEY: "s3cret" },
      `variable: RECEIPT_KEY is in plain text: remove it, and make a new key a secret ("${PUT.replace("API_KEYS", "RECEIPT_KEY")}")`,
    ],
    [
      "the key of the captures in plain text",
      { REDACT_KEY: "k".repeat(40) },
      `variable: REDACT_KEY is in plain text: remove it, and make a new key a secret ("${PUT.replace("API_KEYS", "REDACT_KEY")}")`,
    ],
    ["a sample, whose bucket is no variable", { DECISION_SAMPLE: "0.1" }, undefined],
    [
      "an address with a password",
      { COUPONS_URL: "https://shop:s3cret@coupons.example" },
      "variable: COUPONS_URL: expected an http or https URL without a user or password",
    ],
    ["a name that is almost one of ours", { DEADLINE_S: "5000" }, "variable: DEADLINE_S is unknown: did you mean DEADLINE_MS?"],
    ["such a name without a value", { API_KEYZ: "" }, "variable: API_KEYZ is unknown: did you mean API_KEYS?"],
    ["a blank key", { API_KEYS: " " }, "variable: API_KEYS: expected keys of visible ASCII characters without spaces, separated by commas"],
    ["an empty value means the default", { DEADLINE_MS: " ", API_KEYS: "", COUPONS_URL: "" }, undefined],
  ]) {
    it(what, () => assert.deepEqual(variableFaults(vars, "production"), fault === undefined ? [] : [fault]));
  }

  it("each of several", () => {
    assert.equal(variableFaults({ DEADLINE_MS: "soon", CACHE_BYTES: "-1", ROW_TOTAL: "net" }, "production").length, 3);
  });
});

describe("one fault in the secrets", () => {
  const target = { worker: "order-cost-production", env: "production" };
  for (const [what, secrets, vars, fault, isLogged] of [
    ["no key", ["OTHER"], {}, ANONYMOUS],
    ["no key, and a blank permission", [], { ALLOW_ANONYMOUS: "0" }, ANONYMOUS],
    [
      "a secret and a variable of one name",
      ["API_KEYS", "COUPONS_URL"],
      { COUPONS_URL: "https://coupons.example" },
      'variable: COUPONS_URL is a secret, too, which a deployment would replace: remove it from vars, or run "npx wrangler secret delete COUPONS_URL --env production"',
    ],
    ["a name that is almost one of ours", ["API_KEYS", "API_KYES"], {}, "variable: API_KYES is unknown: did you mean API_KEYS?"],
    ["keys in plain text are a fault of the variables", [], { API_KEYS: "s3cret" }, undefined],
    ["no key, on purpose", [], { ALLOW_ANONYMOUS: "1" }, undefined],
    [
      "a bucket for captures without their key",
      ["API_KEYS"],
      {},
      'variable: REDACT_KEY is missing: captures are written without anybody\'s data, which needs a secret key: run "npx wrangler secret put REDACT_KEY --env production"',
      true,
    ],
    ["a bucket for captures, and their key", ["API_KEYS", "REDACT_KEY"], { DECISION_SAMPLE: "0.1" }, undefined, true],
    [
      "a sample without a bucket",
      ["API_KEYS"],
      { DECISION_SAMPLE: "0.1" },
      "variable: DECISION_SAMPLE: expected the binding DECISIONS, a bucket for the captures",
    ],
  ]) {
    it(what, () => assert.deepEqual(secretFaults(secrets, { ...target, vars, isLogged }), fault === undefined ? [] : [fault]));
  }
});

describe("one fault in the account", () => {
  it("no key", async (context) => {
    cloudflare.workers.set("order-cost-production", []);
    assert.deepEqual(await check(context, await production()), faulty(ANONYMOUS));
  });

  it("the Worker does not exist yet, so it has no key", async (context) => {
    cloudflare.workers.delete("order-cost-production");
    assert.deepEqual(await check(context, await production()), faulty(ANONYMOUS));
  });

  it("a service that does not exist", async (context) => {
    cloudflare.workers.delete("shop-coupons");
    const fault = "COUPONS is bound to shop-coupons, which the account does not have: deploy that Worker, or correct the name";
    assert.deepEqual(await check(context, await production()), faulty(`missing service: ${fault}`));
  });

  it("no current version", async (context) => {
    cloudflare.keys.delete("current");
    assert.deepEqual(await check(context, await production()), faulty(NONE_IN_USE));
  });
});

describe("a version in use that the Worker cannot use", () => {
  const TODO = 'run "npm run data -- status --remote --env production", and activate a version';
  const CURRENT = "the Worker cannot read the key current";
  for (const [what, change, fault] of [
    ["no JSON", (keys) => keys.set("current", "{"), `${CURRENT}: expected JSON: ${TODO}`],
    ["another format", (keys) => keys.set("current", '{"format":7}'), `${CURRENT}: expected format 1 or 2, got 7: ${TODO}`],
    [
      "a part of a manifest",
      (keys) => keys.set("current", '{"format":1,"id":"0123456789abcdef"}'),
      `${CURRENT}: builtAt: expected a time such as 2026-11-23T08:30:00.000Z, got undefined: ${TODO}`,
    ],
    [
      "zones that are missing",
      (keys) => keys.delete([...keys.keys()].find((key) => key.startsWith("zones:"))),
      /^\w+ is incomplete: zones:\w+ is missing: push the version that names it again, with --again$/,
    ],
  ]) {
    it(what, async () => {
      const store = new MemoryStore();
      store.keys = new Map(published);
      assert.equal((await usableVersion(store, "production")).id, JSON.parse(store.keys.get("current")).id);
      change(store.keys);
      await assert.rejects(usableVersion(store, "production"), (error) => {
        if (fault instanceof RegExp) assert.match(error.message, fault);
        else assert.equal(error.message, fault);
        return error instanceof Fault;
      });
    });
  }
});

it("a large version: all its layers and 100 of its other texts are read, and nothing is listed", async () => {
  const branches = Object.fromEntries(Array.from({ length: 300 }, (_, branch) => [branch, [[branch], [branch + 1000]]]));
  const { manifest, texts } = await makeVersion({ branches });
  const store = new MemoryStore();
  for (const [key, text] of texts) store.keys.set(key, text);
  const time = new Date().toISOString();
  store.keys.set("current", JSON.stringify({ ...manifest, activatedAt: time, predecessors: [] }));
  const { extent } = await usableVersion(store, "production");
  assert.equal(extent, "all its layers and 100 of 600 other texts");
  assert.equal(store.calls.length, 5);
  assert.ok(store.calls.every((call) => call.startsWith("get ")));
});

describe("wrangler's own rules", () => {
  it("an error and a warning, a line each", async (context) => {
    const settings = await production((scope) => Object.assign(scope, { limits: { cpu_ms: "much" }, kv_namespace: [] }));
    const { code, out } = await check(context, settings, [], REAL_WRANGLER);
    const begin = "configuration: Processing wrangler\\.jsonc configuration: .*";
    assert.match(out, new RegExp(`^${begin}"kv_namespace"\n${begin}cpu_ms.*\n$`));
    assert.equal(code, 1);
  });

  it("a warning alone", async (context) => {
    const tryOut = async () => ({ complaints: ['an unexpected "kv_namespace"'], isReadable: true });
    const settings = await production((scope) => (scope.kv_namespace = []));
    const { code, out } = await check(context, settings, [], allAtNight({ tryOut }, REAL_WRANGLER));
    assert.match(out, /^configuration: .*"kv_namespace"\n$/);
    assert.equal(code, 1);
  });
});

describe("all faults at once", () => {
  it("a line each, and nothing secret", async (context) => {
    cloudflare.workers = new Map([["order-cost-production", ["API_KYES", "LOG_SAMPLE"]]]);
    cloudflare.keys.clear();
    const settings = await production((scope) => {
      scope.kv_namespaces[1].id = "<id of the namespace>";
      scope.services[1].service = "order-cost-coupons";
      scope.ratelimits = [];
      scope.assets = { directory: "../target/site" };
      Object.assign(scope.vars, { DEADLINE_MS: "soon", COUPONS_URL: "http://shop:s3cret@x", API_KEY: "s3cret" });
    });
    const { code, out, err } = await check(context, settings);
    assert.equal(code, 1);
    const lines = out.trim().split("\n");
    const subjects = lines.map((line) => /^[^:]+: (the secret )?[\w-]+/.exec(line)?.[0]);
    assert.deepEqual(subjects, [
      "missing binding: RATE_LIMITER",
      "placeholder: VOUCHERS",
      "demo service: COUPONS",
      "demo page: assets",
      "variable: DEADLINE_MS",
      "variable: COUPONS_URL",
      "variable: API_KEY",
      "variable: API_KYES",
      "variable: LOG_SAMPLE",
      "anonymous: order-cost-production",
      "missing service: NATIONWIDE",
      "no current version: CATALOGUE",
    ]);
    assert.equal(err, "\n12 faults: production cannot be deployed\n");
    for (const secret of ["s3cret", cloudflare.env.CLOUDFLARE_API_TOKEN]) assert.ok(!out.includes(secret), secret);
  });
});

describe("what Cloudflare does not say is a fault, never right", () => {
  const UNKNOWN = [
    "anonymous: cannot tell which secrets order-cost-production has: ",
    "missing service: cannot tell whether the account has shop-rates: ",
    "missing service: cannot tell whether the account has shop-coupons: ",
    "no current version: cannot read current in CATALOGUE of production: ",
  ];
  for (const [what, env, reason] of [
    [
      "not logged in",
      { CLOUDFLARE_API_TOKEN: "" },
      "not logged in: set CLOUDFLARE_API_TOKEN to a token of https://dash.cloudflare.com/profile/api-tokens",
    ],
    ["a wrong token", { CLOUDFLARE_API_TOKEN: "wrong" }, "Cloudflare answered 403: Authentication error (code 10000)"],
    ["the API cannot be reached", { CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:2" }, "Cloudflare's API cannot be reached (ECONNREFUSED)"],
  ]) {
    it(what, async (context) => {
      assert.deepEqual(
        await faultsOf(context, await production(), env),
        UNKNOWN.map((line) => line + reason),
      );
    });
  }

  it("an answer that fails", async (context) => {
    cloudflare.trouble = (call) => (/secrets|coupons.deployments|^POST bulk.get/.test(call) ? 500 : undefined);
    const faults = await faultsOf(context, await production());
    assert.deepEqual(
      faults.map((line) => line.split(":")[0]),
      ["anonymous", "missing service", "no current version"],
    );
    for (const line of faults) assert.match(line, /Cloudflare answered 500: service unavailable/);
  });

  it("the secrets of a Worker that may have no key", async (context) => {
    cloudflare.trouble = (call) => (call.endsWith("/secrets") ? 403 : undefined);
    const settings = await production((scope) => (scope.vars.ALLOW_ANONYMOUS = "1"));
    const { code, out } = await check(context, settings);
    assert.equal(code, 1);
    assert.match(out, /^secrets: cannot tell which secrets order-cost-production has: Cloudflare answered 403: [^\n]*\n$/);
  });
});

describe("wrong usage", () => {
  for (const [args, code, message] of [
    [[], 2, "required option '--env <name>' not specified"],
    [
      ["--env", "production", "--without", "CATALOGUE"],
      2,
      "Expected some of VOUCHERS, NATIONWIDE, COUPONS, RATE_LIMITER, CF_VERSION_METADATA",
    ],
    [["--env", "production", "staging"], 2, "too many arguments"],
    [["--env", "test"], 1, 'wrangler.jsonc has no environment "test": expected staging or production\n'],
    [["--env", "production", "--config", "/nowhere.jsonc"], 1, "cannot read /nowhere.jsonc"],
  ]) {
    it(args.join(" ") || "nothing", async () => {
      const result = await type(args);
      assert.equal(result.code, code);
      assert.ok(result.err.startsWith("preflight: ") && result.err.includes(message), result.err);
      assert.equal(result.out, "");
    });
  }

  it("an option that npm took for its own", async () => {
    const { code, err } = await type(["production"], { env: { npm_config_env: "production" } });
    assert.deepEqual([code, err], [2, "preflight: npm took --env for itself: write npm run preflight -- --env NAME\n"]);
  });
});
