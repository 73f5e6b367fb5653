// How each entry loads the module. For Chromium see tests/browser/loading.test.js, for workerd the Worker's suites.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { copyPackage, PACKAGE } from "./copies.js";

const ENTRIES = ["node.js", "node.cjs", "inline.js", "url.js", "calculate.js", "calculate-node.js", "calculate-node.cjs"];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ORDER = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 3 }] };

/** The entry in a fresh copy of the package. */
const copyOf = (entry) => path.join(copyPackage(), entry);

const imported = (file) => (file.endsWith(".cjs") ? createRequire(file)(file) : import(pathToFileURL(file)));
const load = async (entry) => imported(copyOf(entry));

async function priced({ createPricer }, price) {
  const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price })) });
  return (await pricer.calculate(ORDER)).grandTotal;
}

/** Replaces a function of the environment until the test ends. */
function replace(t, object, name, replacement) {
  return t.mock.method(object, name, replacement).mock;
}

/** A fetch like a page's that reads the package's files. Node's fetch reads no files. */
async function fetchFile(url) {
  return new Response(await readFile(url), { headers: { "content-type": "application/wasm" } });
}

/** The files that a process with these options takes for three entries. */
function resolved(resolve, ...options) {
  const script = `console.log(["order-cost", "order-cost/url", "order-cost/calculate"].map((name) => ${resolve}(name)).join())`;
  const files = execFileSync(process.execPath, [...options, "--eval", script], { cwd: PACKAGE, encoding: "utf8" });
  return files
    .trim()
    .split(",")
    .map((file) => path.basename(file));
}

// First, as long as nothing has used Node's own fetch.
for (const entry of ENTRIES) {
  test(`${entry} does nothing when it is imported`, async (t) => {
    const file = copyOf(entry);
    const watched = [
      replace(t, globalThis, "fetch"),
      ...["setTimeout", "setInterval", "setImmediate"].map((name) => replace(t, globalThis, name)),
      ...["compile", "compileStreaming", "instantiate"].map((name) => replace(t, WebAssembly, name)),
      ...["Module", "Instance"].map((name) => replace(t, WebAssembly, name)),
    ];
    await imported(file);
    assert.deepEqual(
      watched.map((mock) => mock.callCount()),
      watched.map(() => 0),
    );
  });
}

for (const entry of ENTRIES) {
  describe(entry, () => {
    // Node compiles a module for its own fetch at first use; this does it in advance.
    before(() => assert.ok(globalThis.Response));

    test("compiles the module once, however often it is requested", async (t) => {
      replace(t, globalThis, "fetch", fetchFile);
      const compile = replace(t, WebAssembly, entry === "url.js" ? "compileStreaming" : "compile");
      const { createPricer, preload } = await load(entry);
      assert.equal(preload(), preload());
      await Promise.all([preload(), createPricer({}), createPricer({})]);
      await createPricer({});
      assert.equal(compile.callCount(), 1);
    });

    test("tries again after a failure, and says why it failed", async (t) => {
      replace(t, globalThis, "fetch", fetchFile);
      const compile = replace(t, WebAssembly, entry === "url.js" ? "compileStreaming" : "compile");
      const module = await load(entry);
      compile.mockImplementationOnce(() => Promise.reject(new RangeError("out of memory")));
      const errors = await Promise.all([1, 2].map(() => module.createPricer({}).catch((error) => error)));
      for (const error of errors) {
        assert.ok(error instanceof module.PricingError);
        assert.equal(error.code, "INTERNAL");
        assert.equal(error.retryable, true);
        assert.match(error.message, /^Could not load the WebAssembly module of order-cost: (file:.*order_cost_bg\.wasm: )?out of memory$/);
        assert.equal(error.cause.message, "out of memory");
        assert.match(error.requestId, UUID);
      }
      assert.equal(compile.callCount(), 1);
      assert.equal(await priced(module, 2), 6);
      assert.equal(compile.callCount(), 2);
    });

    test("fails if WebAssembly is switched off, and loads once it is available", async (t) => {
      replace(t, globalThis, "fetch", fetchFile);
      const module = await load(entry);
      const { WebAssembly } = globalThis;
      delete globalThis.WebAssembly;
      const error = await module.preload().catch((error) => error);
      globalThis.WebAssembly = WebAssembly;
      assert.match(error.message, /WebAssembly is not defined/);
      assert.equal(await priced(module, 2), 6);
    });

    test("two copies work side by side", async (t) => {
      replace(t, globalThis, "fetch", fetchFile);
      const [one, other] = await Promise.all([load(entry), load(entry)]);
      assert.notEqual(one.createPricer, other.createPricer);
      assert.deepEqual(await Promise.all([priced(one, 1), priced(other, 2), priced(one, 3)]), [3, 6, 9]);
    });
  });
}

describe("Jest's jsdom environment", () => {
  test("gets CommonJS, although it claims to be a browser", () => {
    assert.deepEqual(resolved("require.resolve", "--conditions=browser"), ["node.cjs", "node.cjs", "calculate-node.cjs"]);
  });

  test("has no TextEncoder, and objects of another realm", async () => {
    const { AbortController, Buffer, Event, EventTarget, atob, clearTimeout, crypto, queueMicrotask, setTimeout } = globalThis;
    const page = { AbortController, Buffer, Event, EventTarget, atob, clearTimeout, crypto, queueMicrotask, setTimeout };
    const load = async (name) => {
      const file = path.join(PACKAGE, name);
      const wrap = `(function (module, require) { ${await readFile(file, "utf8")}\n})`;
      const module = {};
      vm.runInNewContext(wrap, page)(module, createRequire(file));
      return module.exports;
    };
    const { createPricer } = await load("node.cjs");
    const { hostFromFacts } = await load("testing.cjs");
    const productName = "น้ำปลา 🐟 \ud83d";
    const pricer = await createPricer(hostFromFacts({ prices: { 1: { price: 37.25 } } }));
    const order = await pricer.calculate({ productList: [{ ...ORDER.productList[0], productName }] });
    assert.deepEqual([order.grandTotal, order.productList[0].productName], [111.75, productName]);
    const bytes = await pricer.calculateJson(Buffer.from(JSON.stringify(ORDER)));
    assert.equal(JSON.parse(Buffer.from(bytes)).productList[0].productName, "น้ำปลา");
  });
});

test("a failure has an id where crypto.randomUUID is missing, as on plain http pages", async (t) => {
  const { createPricer } = await load("url.js");
  replace(t, globalThis, "fetch", () => Promise.reject(new Error("offline")));
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  t.after(() => delete crypto.randomUUID);
  await assert.rejects(createPricer({}), ({ requestId }) => UUID.test(requestId));
});

describe("the tool of an edge runtime gets the entry that it can build", () => {
  const NITRO = ["production", "workerd", "wintercg", "worker", "web", "browser", "edge-light", "netlify", "deno"];
  for (const [tool, conditions, entry, calculating] of [
    ["wrangler", ["workerd", "worker", "browser"], "workerd.js", "calculate-workerd.js"],
    ["Next.js", ["edge-light", "worker", "browser"], "edge.js", "calculate-edge.js"],
    ["Nitro with experimental.wasm", [...NITRO, "wasm", "unwasm"], "edge.js", "calculate-edge.js"],
    ["Nitro without it", NITRO, "inline.js", "calculate.js"],
  ]) {
    test(tool, () => {
      const options = conditions.map((condition) => `--conditions=${condition}`);
      assert.deepEqual(resolved("import.meta.resolve", "--input-type=module", ...options), [entry, entry, calculating]);
    });
  }
});

test("another try may help after a fault of the server, but not where the file is missing or forbidden", async (t) => {
  const answers = [new Response("", { status: 404 }), new Response("", { status: 503 }), new Response("<!doctype html>")];
  const { preload } = await load("url.js");
  const isRetryable = () => preload().catch((error) => error.retryable);
  replace(t, globalThis, "fetch", async () => answers.shift());
  assert.deepEqual([await isRetryable(), await isRetryable(), await isRetryable()], [false, true, false]);
  const inline = await load("inline.js");
  replace(t, WebAssembly, "compile", () => Promise.reject(new Error("blocked by CSP")));
  assert.equal(await inline.preload().catch((error) => error.retryable), false);
});

test("a test runner that bundles for a page, without Buffer, loads all the same", async (t) => {
  const { createPricer } = await load("node.js");
  const { Buffer } = globalThis;
  delete globalThis.Buffer;
  t.after(() => (globalThis.Buffer = Buffer));
  await createPricer({});
});

test("an edge runtime that forbids compiling gets advice", async (t) => {
  const message = "WebAssembly.compile(): Wasm code generation disallowed by embedder";
  const module = await load("inline.js");
  replace(t, WebAssembly, "compile", () => Promise.reject(new WebAssembly.CompileError(message)));
  await assert.rejects(module.preload(), { message: /condition "workerd" .* in Nuxt, set nitro: \{ experimental: \{ wasm/ });
});
