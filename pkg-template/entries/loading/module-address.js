// Where a page fetches the module from, and what to do if it is not there.

/** The cache of Vite in development, under any of its names: node_modules/.vite/deps, .angular/cache/…/vite/deps. */
const IN_CACHE = /(?:\/node_modules)?\/\.[^/]+\/(?:[^./][^/]*\/)*deps\/wasm\//;
const INSTALLED = "/node_modules/order-cost/wasm/";

/**
 * Vite 5 to 7 move a script into their cache in development, and leave its module where npm has installed it. Any other
 * address stays the same object: that of Next.js is relative, which `new URL` refuses.
 */
export function installed(url) {
  const isMoved = url && IN_CACHE.test(url.href);
  return isMoved ? new URL(url.href.replace(IN_CACHE, INSTALLED)) : url;
}

/** An address as a message shows it. Vite's builds of libraries put the whole module into the address. */
export const shown = ({ href, protocol }) => (protocol === "data:" ? "data:application/wasm" : href);

/** What to do for the tool at hand if the file is not there: the line that it needs, or the entry that needs no file. */
export function adviceAt(url) {
  const line = url && url.protocol !== "file:" ? `${lineFor(url)}, or import` : "Import";
  return `${line} "order-cost", which contains the module`;
}

function lineFor({ pathname }) {
  // Angular's build and its development server define this for every script.
  if (typeof ngDevMode !== "undefined") {
    return `Add { "glob": "*.wasm", "input": "node_modules/order-cost/wasm", "output": "wasm" } to "assets" in angular.json`;
  }
  if (/\/deps\/wasm\//.test(pathname)) return `Add optimizeDeps: { exclude: ["order-cost"] } to the configuration of Vite`;
  if (/\/@fs\//.test(pathname)) return "Add the folder above node_modules to server.fs.allow in the configuration of Vite";
  return "Serve the package's wasm/order_cost_bg.wasm there (esbuild and Rollup do not copy it)";
}
