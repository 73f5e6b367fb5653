// The option `module`: a module from a place of the caller's own, which has to be this version's.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { copyPackage, PACKAGE } from "./copies.js";

const { version } = JSON.parse(await readFile(path.join(PACKAGE, "package.json"), "utf8"));
const ORDER = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 3 }] };
const WHOLE = await readFile(path.join(PACKAGE, "wasm/order_cost_bg.wasm"));
const CALCULATE = await readFile(path.join(PACKAGE, "wasm/calculate.wasm"));
const NOTHING = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const WASM = { headers: { "content-type": "application/wasm" } };

/** An entry of a fresh copy of the package, which has loaded no module yet. */
const fresh = (entry = "node.js") => import(pathToFileURL(path.join(copyPackage(), entry)));

async function priced({ createPricer }, module) {
  const pricer = await createPricer({ lookupPrices: (keys) => keys.map(() => ({ price: 2 })) }, { module });
  return (await pricer.calculate(ORDER)).grandTotal;
}

/** The bytes of a module of another version. */
async function bytesOf(other) {
  const name = "order-cost";
  const at = WHOLE.lastIndexOf(name) + name.length;
  assert.equal(WHOLE.subarray(at).toString(), version);
  return Buffer.concat([WHOLE.subarray(0, at), Buffer.from(other)]);
}

describe("a module of the caller's", () => {
  for (const [name, module] of Object.entries({
    "a compiled module": () => new WebAssembly.Module(WHOLE),
    "one of another realm": () => runInNewContext("new WebAssembly.Module(bytes)", { bytes: WHOLE }),
    "a promise of one": () => WebAssembly.compile(WHOLE),
    "a response": () => new Response(WHOLE, WASM),
    "a promise of a response": async () => new Response(WHOLE, WASM),
    "a response without its content type": () => new Response(WHOLE),
  })) {
    test(`may be ${name}`, async (t) => {
      const entry = await fresh();
      const own = t.mock.method(Buffer, "from"); // decodes the entry's own
      assert.equal(await priced(entry, module()), 6);
      assert.equal(own.mock.calls.filter(({ arguments: [text] }) => text?.length > 100_000).length, 0);
    });
  }

  test("of order-cost/calculate is for that entry", async () => {
    assert.equal(await priced(await fresh("calculate-node.js"), new WebAssembly.Module(CALCULATE)), 6);
  });

  test("is not used if a module is loaded already, and its failure is not reported", async () => {
    const entry = await fresh();
    assert.equal(await priced(entry), 6);
    assert.equal(await priced(entry, Promise.reject(new Error("offline"))), 6);
  });

  test("may be given again after a failure", async () => {
    const entry = await fresh();
    await assert.rejects(priced(entry, new Response("", { status: 503 })), { code: "INTERNAL", retryable: true });
    assert.equal(await priced(entry, new Response(WHOLE, WASM)), 6);
  });
});

describe("what is no module of this version is refused", () => {
  const refused = (name, module, expected, entry) =>
    test(name, async () => {
      const { createPricer, PricingError } = await fresh(entry);
      const error = await createPricer({}, { module: module() }).catch((error) => error);
      assert.ok(error instanceof PricingError, String(error));
      const { code, message, retryable } = error;
      assert.deepEqual({ code, message, retryable }, { code: "INTERNAL", retryable: false, ...expected });
    });

  const compiled = async (bytes) => new WebAssembly.Module(await bytes);
  const versions = (found, own = version) => ({ message: `The module is ${found}, this package is ${own}` });
  refused("another version's", () => compiled(bytesOf("0.0.9")), versions("of order-cost 0.0.9"));
  refused("another module", () => compiled(NOTHING), {
    message: "The module is none of order-cost: expected the package's wasm/order_cost_bg.wasm",
  });
  refused("that of order-cost/calculate", () => compiled(CALCULATE), versions(`of order-cost ${version} (order-cost/calculate)`));
  const calculate = `${version} (order-cost/calculate)`;
  refused("that with baskets", () => compiled(WHOLE), versions(`of order-cost ${version}`, calculate), "calculate-node.js");

  const notLoaded = (reason, retryable = false) => ({
    message: `Could not load the WebAssembly module of order-cost: ${reason}`,
    retryable,
  });
  const advice = "Give the response for the package's wasm/order_cost_bg.wasm";
  refused("an error of the server", () => new Response("", { status: 404 }), notLoaded(`the response answered 404. ${advice}`));
  refused(
    "the same for order-cost/calculate",
    () => new Response("", { status: 404 }),
    notLoaded("the response answered 404. Give the response for the package's wasm/calculate.wasm"),
    "calculate-node.js",
  );
  refused(
    "a promise that fails",
    () => Promise.reject(new TypeError("Failed to fetch")),
    notLoaded("the option module failed: Failed to fetch", true),
  );
  refused("a promise that fails with nothing", () => Promise.reject(), notLoaded("the option module failed: undefined", true));
  refused(
    "a response that was read",
    async () => {
      const response = new Response(WHOLE, WASM);
      await response.arrayBuffer();
      return response;
    },
    notLoaded("the response of the option module was read before"),
  );
  refused(
    "a response of another origin without CORS",
    () => ({ type: "opaque", status: 0, ok: false, headers: new Headers(), arrayBuffer: async () => new ArrayBuffer() }),
    notLoaded("the response may not be read: request it with CORS"),
  );
  refused(
    "a page",
    () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
    notLoaded(`the response is not WebAssembly: its content type is text/html. ${advice}`),
  );
});

describe("any other value is an invalid option", () => {
  const expected = "expected a WebAssembly.Module, a Response, or a promise of one of them";
  for (const module of [null, "order_cost_bg.wasm", 1, {}, new URL("https://shop.example/x.wasm"), WHOLE, Promise.resolve("x")]) {
    test(`${module?.constructor?.name ?? module}`, async () => {
      const { createPricer } = await fresh();
      await assert.rejects(createPricer({}, { module }), {
        code: "VALIDATION_ERROR",
        path: "module",
        message: new RegExp(`module: ${expected}$`),
        retryable: false,
      });
    });
  }
});

test("a misspelt name is found before the entry's own module is loaded", async (t) => {
  const compile = t.mock.method(WebAssembly, "compile");
  const { createPricer } = await fresh();
  const message = "Invalid options: modul: unknown, did you mean module";
  await assert.rejects(createPricer({}, { modul: new WebAssembly.Module(WHOLE) }), { code: "VALIDATION_ERROR", path: "modul", message });
  assert.equal(compile.mock.callCount(), 0);
});

test("a short name that shares some letters with `module` is no slip of it", async () => {
  const { createPricer } = await fresh();
  const message = /^Invalid options: mode: unknown, expected one of .*\bmodule\b/;
  await assert.rejects(createPricer({}, { mode: 1 }), { code: "VALIDATION_ERROR", path: "mode", message });
});

test("the entry's own file is compared, too: a deployment may have replaced it", async () => {
  const copy = copyPackage();
  const file = path.join(copy, "wasm/base64.js");
  await rm(file);
  await writeFile(file, `export const base64 = "${(await bytesOf("0.0.9")).toString("base64")}";\n`);
  const { createPricer } = await import(pathToFileURL(path.join(copy, "node.js")));
  await assert.rejects(createPricer({}), { message: `The module is of order-cost 0.0.9, this package is ${version}` });
});
