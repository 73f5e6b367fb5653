import { tested } from "./ways.js";

export const testRunners = {
  jest: [
    { name: "Jest", package: "jest", entries: tested("jest", ["--env", "node"]) },
    { name: "Jest, jsdom", package: "jest", entries: tested("jest", ["--env", "jsdom"]) },
  ],
  "vitest-pool-workers": [
    {
      name: "Vitest in workerd, vitest-pool-workers",
      package: "@cloudflare/vitest-pool-workers",
      entries: tested("vitest", ["run", "--update"]),
      nightly: true,
    },
  ],
};
