// Where `order-cost/url` looks for its file behind development servers, and how its message helps to fix the set-up.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { adviceAt, installed, shown } from "../../pkg/entries/loading/module-address.js";

const FILE = "wasm/order_cost_bg.wasm";

describe("a script in a cache of Vite takes the module from where npm has installed it", () => {
  for (const [tool, cache, root] of [
    ["Vite", "node_modules/.vite/deps", ""],
    ["Vite with a base", "shop/node_modules/.vite/deps", "shop/"],
    ["Vite, server side", "node_modules/.vite/deps_ssr", undefined],
    ["Nuxt", "_nuxt/node_modules/.cache/vite/client/deps", "_nuxt/"],
    ["Storybook", "node_modules/.cache/storybook/1.2.3/abc/sb-vite/deps", ""],
    ["VitePress", "@fs/home/u/docs/.vitepress/cache/deps", "@fs/home/u/docs/"],
    ["Angular", "@fs/home/u/shop/.angular/cache/20.3.1/shop/vite/deps", "@fs/home/u/shop/"],
    ["Vite in a hidden folder", "@fs/home/u/.work/node_modules/.vite/deps", "@fs/home/u/.work/"],
    ["Vite 8, which copies the file", "node_modules/.vite/deps/assets", undefined],
    ["a folder named deps", "static/deps", undefined],
    ["a hidden folder elsewhere", ".well-known/x/.y/shop", undefined],
  ]) {
    const where = root === undefined ? "stays" : "is found";
    test(`${tool}: it ${where}`, () => {
      const url = `http://localhost:5173/${cache}/${FILE}`;
      const expected = root === undefined ? url : `http://localhost:5173/${root}node_modules/order-cost/${FILE}`;
      assert.equal(installed(new URL(url)).href, expected);
    });
  }
});

test("any other address stays as it is, also Turbopack's, which is relative and no URL", () => {
  for (const url of [new URL(`https://shop.example/${FILE}`), { href: `/_next/static/media/${FILE}` }, undefined]) {
    assert.equal(installed(url), url);
  }
});

describe("the advice names the line for the tool at hand", () => {
  const INSIDE = `import "order-cost", which contains the module`;
  const advice = (address) => adviceAt(address && new URL(address));

  test("Vite in development", () => {
    const line = `Add optimizeDeps: { exclude: ["order-cost"] } to the configuration of Vite`;
    for (const cache of ["node_modules/.vite", "tmp/vite", "@fs/tmp/vite-of-mine", "cache/.vite"]) {
      assert.equal(advice(`http://localhost/${cache}/deps/${FILE}`), `${line}, or ${INSIDE}`);
    }
  });

  test("Vite, which serves no folder above the project", () => {
    const line = "Add the folder above node_modules to server.fs.allow in the configuration of Vite";
    assert.equal(advice(`http://localhost/@fs/home/u/node_modules/order-cost/${FILE}`), `${line}, or ${INSIDE}`);
  });

  test("Angular, which tells every script whether it develops", (t) => {
    globalThis.ngDevMode = false;
    t.after(() => delete globalThis.ngDevMode);
    const entry = `{ "glob": "*.wasm", "input": "node_modules/order-cost/wasm", "output": "wasm" }`;
    assert.equal(advice(`http://localhost/${FILE}`), `Add ${entry} to "assets" in angular.json, or ${INSIDE}`);
  });

  test("any other server", () => {
    const line = "Serve the package's wasm/order_cost_bg.wasm there (esbuild and Rollup do not copy it)";
    assert.equal(advice(`https://shop.example/${FILE}`), `${line}, or ${INSIDE}`);
  });

  test("a page from a file, and a script without an address, cannot fetch", () => {
    for (const address of [`file:///home/u/${FILE}`, undefined]) {
      assert.equal(advice(address), `I${INSIDE.slice(1)}`);
    }
  });
});

test("a message does not hold the module that a build has put into the address", () => {
  assert.equal(shown(new URL("data:application/wasm;base64,AGFzbQ")), "data:application/wasm");
  assert.equal(shown(new URL(`http://localhost/${FILE}`)), `http://localhost/${FILE}`);
});
