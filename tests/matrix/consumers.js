// Every consumer: its name, where its version is read from, and how it prices the order.
import assert from "node:assert/strict";
import { cp, readFile, rm } from "node:fs/promises";
import { chromiumVersion, pricedAt, pricedIn } from "./browser.js";
import { body } from "./order.js";

const ORDER_COST = "order-cost";
const URL_ENTRY = "order-cost/url";

const DOM = { libs: "es2022,dom", types: [] };
const NODE = { libs: "es2022", types: ["node"] };
const WORKERS = { libs: "es2022", types: ["@cloudflare/workers-types"] };
const NO_PLATFORM = { libs: "es2022", types: [] };

const TYPESCRIPT_5 = { package: "typescript-5", program: "typescript-5/bin/tsc" };
const TYPESCRIPT_7 = { package: "typescript", program: "tsc" };

/** Consumers by folder. A folder is installed once, and its consumers run one after another. */
export const consumers = {
  vite: [
    { name: "Vite, dev server", package: "vite", entries: pages(servedPage("vite", ["--host", "127.0.0.1", "--port"])) },
    { name: "Vite, production", package: "vite", entries: pages(builtPage("vite", ["build"])) },
    { name: "Vitest", package: "vitest", entries: tested("vitest", ["run"]) },
    { name: "Vitest, jsdom", package: "vitest", entries: tested("vitest", ["run", "--environment", "jsdom"]) },
  ],
  webpack: [
    {
      name: "webpack, production",
      package: "webpack",
      entries: pages(builtScript("webpack", ["--mode", "production", "--entry", "./main.js"])),
    },
  ],
  next: [...next("Turbopack", "--turbopack"), ...next("webpack", "--webpack")],
  bundlers: [
    {
      name: "esbuild",
      package: "esbuild",
      entries: pages(builtScript("esbuild", ["main.js", "--bundle", "--minify", "--format=esm", "--outdir=dist"])),
      lacksAsset: [URL_ENTRY],
    },
    { name: "esbuild, server bundle", package: "esbuild", entries: only(inServerBundle) },
    {
      name: "Rollup",
      package: "rollup",
      entries: pages(builtScript("rollup", ["main.js", "--plugin", "node-resolve", "--dir", "dist"])),
      lacksAsset: [URL_ENTRY],
    },
    {
      name: '`<script type="module">`',
      browser: "Chromium",
      version: chromiumVersion,
      entries: pages((workspace, page) => pricedIn(workspace.path(), `${page.replace("page", "plain")}.html`)),
    },
  ],
  parcel: [
    {
      name: "Parcel, production",
      package: "parcel",
      entries: pages(builtPage("parcel", ["build", "index.html", "--dist-dir", "dist"])),
    },
  ],
  node: ["20", "22"].flatMap((release) => [
    { name: `Node.js ${release}, import`, package: `node-${release}`, entries: script(nodeOf(release), ["main.mjs"]) },
    { name: `Node.js ${release}, require`, package: `node-${release}`, entries: script(nodeOf(release), ["main.cjs"]) },
  ]),
  deno: [{ name: "Deno", package: "deno", entries: script("deno", ["run", "--allow-read", "main.mjs"]) }],
  bun: [
    { name: "Bun, import", package: "bun", entries: script("bun", ["main.mjs"]) },
    { name: "Bun, require", package: "bun", entries: script("bun", ["main.cjs"]) },
  ],
  wrangler: [{ name: "workerd, wrangler", package: "wrangler", entries: only(inWorkerd) }],
  jest: [
    { name: "Jest", package: "jest", entries: tested("jest", ["--env", "node"]) },
    { name: "Jest, jsdom", package: "jest", entries: tested("jest", ["--env", "jsdom"]) },
  ],
  typescript: [
    typescript("nodenext, import", "nodenext.json", "esm", DOM),
    typescript("nodenext, import, no DOM", "nodenext.json", "esm", NODE),
    typescript("nodenext, require", "nodenext.json", "cjs", DOM),
    typescript("nodenext, require, no DOM", "nodenext.json", "cjs", NODE),
    typescript("bundler", "bundler.json", "esm", DOM),
    typescript("bundler, no DOM", "bundler.json", "esm", NODE),
    typescript("bundler, Cloudflare's types", "bundler.json", "esm", WORKERS),
    typescript("bundler, no platform at all", "bundler.json", "esm", NO_PLATFORM),
    typescript("nodenext, release 5", "nodenext.json", "esm", DOM, TYPESCRIPT_5),
    typescript("bundler, release 5", "bundler.json", "esm", DOM, TYPESCRIPT_5),
  ],
};

/** Consumers that the registries do not offer, with the reason. */
export const untested = [{ name: "Safari", why: "runs on Apple's systems only" }];

/** One page for each entry that a browser can load: `order-cost` contains the module, `order-cost/url` fetches it. */
function pages(price) {
  const priced = async (page, isFetched) => {
    const { text, fetchedModules } = await page;
    assert.equal(fetchedModules > 0, isFetched, `.wasm files that the page fetched: ${fetchedModules}`);
    return text;
  };
  return {
    [ORDER_COST]: (workspace) => priced(price(workspace, "page"), false),
    [URL_ENTRY]: (workspace) => priced(price(workspace, "page-url"), true),
  };
}

function only(price) {
  return { [ORDER_COST]: price };
}

/** A dev server that serves the page. */
function servedPage(program, args) {
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
function builtPage(program, args) {
  return async (workspace, page) => {
    await workspace.run(program, args, page);
    return pricedIn(workspace.path(page, "dist"));
  };
}

/** The same for a bundler that handles only scripts: the page is copied beside its output. */
function builtScript(program, args) {
  const price = builtPage(program, args);
  return async (workspace, page) => {
    await cp(workspace.path(page, "index.html"), workspace.path(page, "dist", "index.html"));
    return price(workspace, page);
  };
}

/** A test runner with one test, which writes the priced order to a file. */
function tested(program, args) {
  return only(async (workspace) => {
    const file = workspace.path("priced.json");
    await rm(file, { force: true });
    await workspace.run(program, args);
    return readFile(file, "utf8");
  });
}

/** A program that prints the priced order. */
function script(program, args) {
  return only((workspace) => workspace.run(program, args));
}

/** A path, because two packages of the same name share one place in .bin. */
function nodeOf(release) {
  return `node-${release}/bin/node`;
}

async function inServerBundle(workspace) {
  const options = ["--bundle", "--platform=node", "--format=esm", "--outfile=server/bundle.mjs"];
  await workspace.run("esbuild", ["server.mjs", ...options]);
  return workspace.run(process.execPath, ["bundle.mjs"], "server");
}

async function inWorkerd(workspace) {
  const options = ["dev", "--ip", "127.0.0.1", "--inspector-port", "0", "--port"];
  const { url, stop } = await workspace.serve("wrangler", (port) => [...options, String(port)]);
  try {
    return await post(`${url}calculatecost4`);
  } finally {
    await stop();
  }
}

const PATHS = { page: "", "page-url": "url" };

/** Next.js with one of its bundlers: the page in the browser, and a handler on the server. */
function next(bundler, flag) {
  const start = async (workspace) => {
    await workspace.run("next", ["build", flag]);
    return workspace.serve("next", (port) => ["start", "--hostname", "127.0.0.1", "--port", String(port)]);
  };
  const show = async (workspace, page) => pricedAt((await workspace.served(start)) + PATHS[page]);
  const handle = async (workspace) => post(`${await workspace.served(start)}price`);
  return [
    { name: `Next.js, client component, ${bundler}`, package: "next", entries: pages(show) },
    { name: `Next.js, route handler, ${bundler}`, package: "next", entries: only(handle) },
  ];
}

/** Checks the types of every entry with those libraries, and runs the compiler's output. */
function typescript(name, project, folder, { libs, types }, compiler = TYPESCRIPT_7) {
  const options = ["--project", project, "--lib", libs, ...types.flatMap((type) => ["--types", type])];
  const price = async (workspace) => {
    await workspace.run(compiler.program, options);
    return workspace.run(process.execPath, ["print.mjs", `./${folder}/main.js`]);
  };
  return { name: `TypeScript, ${name}`, package: compiler.package, entries: only(price) };
}

async function post(url) {
  const response = await fetch(url, { method: "POST", body });
  return response.text();
}
