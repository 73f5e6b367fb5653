import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pricedAt, pricedIn } from "../browser.js";
import { handled, ORDER_COST, only, PATHS, pages, post, shown, URL_ENTRY } from "./ways.js";

/** Angular copies the files that its `assets` name, and no other. */
const ASSET_IS_MISSING = /\/wasm\/order_cost_bg\.wasm answered 404\. Add \{ "glob": "\*\.wasm", .* to "assets" in angular\.json/;

export const frameworks = {
  next: [...next("Turbopack", "--turbopack"), ...next("webpack", "--webpack", { nightly: true })],
  angular: [
    { name: "Angular, dev server", package: "@angular/core", entries: pages(inAngularServer), nightly: true },
    {
      name: "Angular, production",
      package: "@angular/core",
      entries: pages(builtByAngular("production")),
      fails: { [URL_ENTRY]: ASSET_IS_MISSING },
      nightly: true,
    },
    {
      name: "Angular, production, with the line in `assets`",
      package: "@angular/core",
      entries: without(ORDER_COST, pages(builtByAngular("production,asset"))),
      nightly: true,
    },
  ],
};

/** Next.js with one of its bundlers: the page in the browser, and a handler on the server and at the edge. */
function next(bundler, flag, options = {}) {
  const start = async (workspace) => {
    await workspace.run("next", ["build", flag]);
    return workspace.serve("next", (port) => ["start", "--hostname", "127.0.0.1", "--port", String(port)]);
  };
  const handleAtEdge = async (workspace) => {
    const priced = await post(`${await workspace.served(start)}edge`);
    await assertCompiled(workspace);
    return priced;
  };
  return [
    { name: `Next.js, client component, ${bundler}`, package: "next", entries: pages(shown(start)), ...options },
    { name: `Next.js, route handler, ${bundler}`, package: "next", entries: only(handled(start)), ...options },
    { name: `Next.js, edge route handler, ${bundler}`, package: "next", entries: only(handleAtEdge), nightly: true },
  ];
}

/** Next's own server compiles bytes, which a host's edge forbids: the build must have taken both modules themselves. */
async function assertCompiled(workspace) {
  const manifest = await readFile(workspace.path(".next/server/middleware-manifest.json"), "utf8");
  const { wasm } = JSON.parse(manifest).functions["/edge/route"];
  assert.equal(wasm.length, 2, "modules of the edge function");
}

/** The build in the project's configurations of these names. */
function builtByAngular(names) {
  return async (workspace, page) => {
    const configuration = [names, PATHS[page]].filter(Boolean).join();
    await workspace.run("ng", ["build", "--configuration", configuration, "--output-path", "dist"]);
    return pricedIn(workspace.path("dist/browser"));
  };
}

const angularServers = { page: angularServer("development"), "page-url": angularServer("url") };

function angularServer(configuration) {
  const options = ["serve", "--configuration", configuration, "--host", "127.0.0.1", "--port"];
  return (workspace) => workspace.serve("ng", (port) => [...options, String(port)]);
}

async function inAngularServer(workspace, page) {
  return pricedAt(await workspace.served(angularServers[page]));
}

function without(entry, { [entry]: _, ...entries }) {
  return entries;
}
