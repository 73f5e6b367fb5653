import { cp } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { pricedAt, pricedIn } from "../browser.js";
import { builtPage, builtScript, only, pages, URL_ENTRY, withModule } from "./ways.js";

/** What `order-cost/url` says after a bundler that does not copy its file. */
const FILE_IS_MISSING = { [URL_ENTRY]: /Could not load the WebAssembly module of order-cost: .*import "order-cost"/s };

const WEBPACK = builtScript("webpack", ["--mode", "production", "--entry", "./main.js"]);
const RSPACK = builtScript("rspack", ["build", "--mode", "production", "--entry", "./main.js"]);
const ESBUILD_OPTIONS = ["main.js", "--bundle", "--minify", "--format=esm", "--outdir=dist"];

const RSBUILD_PAGES = { page: "", "page-url": "url" };

export const bundlers = {
  webpack: [{ name: "webpack, production", package: "webpack", entries: { ...pages(WEBPACK), ...withModule("new-url.js", WEBPACK) } }],
  bundlers: [
    {
      name: "esbuild",
      package: "esbuild",
      entries: {
        ...pages(builtScript("esbuild", ESBUILD_OPTIONS)),
        ...withModule("import-file.js", builtScript("esbuild", [...ESBUILD_OPTIONS, "--loader:.wasm=file"])),
      },
      fails: FILE_IS_MISSING,
    },
    { name: "esbuild, server bundle", package: "esbuild", entries: only(inServerBundle) },
    {
      name: "esbuild, classic script, `file://`",
      package: "esbuild",
      entries: pages(fromDisk),
      fails: { [URL_ENTRY]: /the script has no address \(import\.meta\.url\).* Import "order-cost", which contains the module/ },
      nightly: true,
    },
    {
      name: "Rollup",
      package: "rollup",
      entries: pages(builtScript("rollup", ["main.js", "--plugin", "node-resolve", "--dir", "dist"])),
      fails: FILE_IS_MISSING,
    },
  ],
  rspack: [
    { name: "Rsbuild, dev server", package: "@rsbuild/core", entries: pages(inRsbuildServer), nightly: true },
    { name: "Rsbuild, production", package: "@rsbuild/core", entries: pages(builtByRsbuild), nightly: true },
    {
      name: "Rspack, production",
      package: "@rspack/core",
      entries: { ...pages(RSPACK), ...withModule("new-url.js", RSPACK) },
      nightly: true,
    },
  ],
  parcel: [
    { name: "Parcel, production", package: "parcel", entries: pages(builtPage("parcel", ["build", "index.html", "--dist-dir", "dist"])) },
  ],
};

async function inServerBundle(workspace) {
  const options = ["--bundle", "--platform=node", "--format=esm", "--outfile=server/bundle.mjs"];
  await workspace.run("esbuild", ["server.mjs", ...options]);
  return workspace.run(process.execPath, ["bundle.mjs"], "server");
}

/** A page that is opened from the disk. Browsers refuse modules there. */
async function fromDisk(workspace, page) {
  const html = workspace.path(page, "dist", "index.html");
  await workspace.run("esbuild", ["main.js", "--bundle", "--format=iife", "--outdir=dist"], page);
  await cp(workspace.path("classic.html"), html);
  return pricedAt(pathToFileURL(html).href);
}

const rsbuildServer = (workspace) => workspace.serve("rsbuild", (port) => ["--host", "127.0.0.1", "--port", String(port)]);

async function inRsbuildServer(workspace, page) {
  return pricedAt((await workspace.served(rsbuildServer)) + RSBUILD_PAGES[page]);
}

async function builtByRsbuild(workspace, page) {
  await workspace.run("rsbuild", ["build"]);
  return pricedIn(workspace.path("dist"), RSBUILD_PAGES[page]);
}
