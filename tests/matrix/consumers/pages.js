// Pages without a bundler.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { chromiumVersion, pricedIn, servedFiles } from "../browser.js";
import { pages } from "./ways.js";

export const plainPages = {
  plain: [
    inChromium('`<script type="module">`', shown("plain")),
    inChromium("import map, strict CSP, Trusted Types", underPolicy, { nightly: true }),
    inChromium("Web Worker", shown("worker"), { nightly: true }),
    inChromium("Service Worker", shown("service-worker"), { nightly: true }),
    inChromium("another origin, as from a CDN", fromCdn, { nightly: true }),
  ],
};

function inChromium(name, price, marks) {
  return { name, browser: "Chromium", version: chromiumVersion, entries: pages(price), ...marks };
}

function shown(name) {
  return (workspace, page) => pricedIn(workspace.path(), fileOf(name, page));
}

/** The policy of the guide, and more that a strict one has. The import map stands in the page itself. */
async function underPolicy(workspace, page) {
  const file = fileOf("plain", page);
  const html = await readFile(workspace.path(file), "utf8");
  const [, importMap] = html.match(/<script type="importmap">(.*?)<\/script>/s);
  const hash = createHash("sha256").update(importMap).digest("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
    "connect-src 'self'",
    "img-src data:", // the page's icon
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return pricedIn(workspace.path(), file, { "content-security-policy": policy.join("; ") });
}

/** The package's folder on another origin, which allows its use as CDNs do. */
async function fromCdn(workspace, page) {
  const file = fileOf("cdn", page);
  const html = await readFile(workspace.path(file), "utf8");
  const show = async (cdn) => {
    await writeFile(workspace.path(file), html.replaceAll("https://cdn.example/", cdn));
    return pricedIn(workspace.path(), file);
  };
  return servedFiles(workspace.path("node_modules"), show, { "access-control-allow-origin": "*" });
}

/** `page-url` has its own file: worker.html and worker-url.html. */
const fileOf = (name, page) => `${page.replace("page", name)}.html`;
