import { builtPage, pages, servedPage, tested, withModule } from "./ways.js";

const SERVE = ["--host", "127.0.0.1", "--port"];

/** What `order-cost/url` says where Vite has moved its script, but not its module, and the module is nowhere near. */
const FILE_IS_ELSEWHERE =
  /\/node_modules\/order-cost\/wasm\/order_cost_bg\.wasm .*\. Add optimizeDeps: \{ exclude: \["order-cost"\] \} to the configuration of Vite, or import "order-cost"/;

export const vite = {
  vite: [
    ...releases("Vite"),
    { name: "Vitest", package: "vitest", entries: tested("vitest", ["run"]) },
    { name: "Vitest, jsdom", package: "vitest", entries: tested("vitest", ["run", "--environment", "jsdom"]) },
  ],
  "vite-7": releases("Vite 7", { nightly: true }),
  "vite-6": releases("Vite 6", { nightly: true }),
  "vite-5": releases("Vite 5", { nightly: true }),
  "vite-workspaces": [
    {
      name: "Vite 7, dev server, npm workspaces",
      package: "vite",
      entries: pages(servedPage("vite", SERVE)),
      fails: { "order-cost/url": FILE_IS_ELSEWHERE },
      nightly: true,
    },
    {
      name: "Vite 7, dev server, npm workspaces, `optimizeDeps`",
      package: "vite",
      entries: pages(servedPage("vite", ["--config", "../exclude.config.js", ...SERVE])),
      nightly: true,
    },
  ],
};

function releases(name, options = {}) {
  const built = builtPage("vite", ["build"]);
  return [
    { name: `${name}, dev server`, package: "vite", entries: pages(servedPage("vite", SERVE)), ...options },
    { name: `${name}, production`, package: "vite", entries: { ...pages(built), ...withModule("import-url.js", built) }, ...options },
  ];
}
