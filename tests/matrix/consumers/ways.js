// The ways in which a consumer comes to the priced order.
import assert from "node:assert/strict";
import { cp, readFile, rm } from "node:fs/promises";
import { pricedAt, pricedIn } from "../browser.js";
import { body } from "../order.js";

export const ORDER_COST = "order-cost";
export const URL_ENTRY = "order-cost/url";

/** A file's name with a hash, or a hash alone. */
const HASHED = /[.\-/][\w-]{8,}\.wasm$/;

/** Where a framework serves the pages. */
export const PATHS = { page: "", "page-url": "url" };

/** `order-cost/url` with the option `module`: the file `order-cost/wasm` under a name that the tool gives it. */
const MODULE = "module";

/** One page for each entry that a browser can load: `order-cost` contains the module, `order-cost/url` fetches it. */
export function pages(price) {
  const priced = async (page, isFetched) => {
    const { text, fetchedModules } = await page;
    assert.equal(fetchedModules.length > 0, isFetched, `.wasm files that the page fetched: ${fetchedModules}`);
    return text;
  };
  return {
    [ORDER_COST]: (workspace) => priced(price(workspace, "page"), false),
    [URL_ENTRY]: (workspace) => priced(price(workspace, "page-url"), true),
  };
}

/** The page whose script says in a tool's own words where the module is; the file's name must have a hash. */
export function withModule(script, price) {
  const priced = async (workspace) => {
    await cp(workspace.path("page-module", script), workspace.path("page-module", "file.js"));
    const { text, fetchedModules } = await price(workspace, "page-module");
    assert.equal(fetchedModules.length, 1, `.wasm files that the page fetched: ${fetchedModules}`);
    assert.match(fetchedModules[0], HASHED);
    return text;
  };
  return { [MODULE]: priced };
}

export function only(price) {
  return { [ORDER_COST]: price };
}

/** A dev server that serves the page. */
export function servedPage(program, args) {
  return async (workspace, page) => {
    const { url, stop } = await workspace.serve(program, (port) => [...args, String(port)], page);
    try {
      return await pricedAt(url);
    } finally {
      await stop();
    }
  };
}

/** The page after bundling, in the folder dist. */
export function builtPage(program, args) {
  return async (workspace, page) => {
    await workspace.run(program, args, page);
    return pricedIn(workspace.path(page, "dist"));
  };
}

/** The same for a bundler that handles only scripts: the page is copied beside its output. */
export function builtScript(program, args) {
  const price = builtPage(program, args);
  return async (workspace, page) => {
    await cp(workspace.path(page, "index.html"), workspace.path(page, "dist", "index.html"));
    return price(workspace, page);
  };
}

/** The page of a framework's server, after `prepare` has used its address. */
export function shown(start, prepare = async () => {}) {
  return async (workspace, page) => {
    const url = (await workspace.served(start)) + PATHS[page];
    await prepare(url);
    return pricedAt(url);
  };
}

/** The answer of a handler on a framework's server. */
export function handled(start) {
  return async (workspace) => post(`${await workspace.served(start)}price`);
}

/** A test runner with one test, which writes the priced order to a file. */
export function tested(program, args) {
  return only(async (workspace) => {
    const file = workspace.path("priced.json");
    await rm(file, { force: true });
    await workspace.run(program, args);
    return readFile(file, "utf8");
  });
}

/** A program that prints the priced order. */
export function script(program, args) {
  return only((workspace) => workspace.run(program, args));
}

/** The answer to the order at that address. Frameworks take a text from nowhere for a forged form. */
export async function post(url) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return response.text();
}
