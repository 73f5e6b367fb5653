// Every consumer, by its folder in projects/. A folder is installed once, and its consumers run one after another.
//
// A consumer: its `name`; its version, read from the installed `package` or given with the `browser`; how each of its
// `entries` prices the order; `fails`: the errors of the entries that cannot work there; `nightly`: not for every
// change.
import { bundlers } from "./consumers/bundlers.js";
import { frameworks } from "./consumers/frameworks.js";
import { nuxtOnCloudflare } from "./consumers/nuxt-on-cloudflare.js";
import { plainPages } from "./consumers/pages.js";
import { runtimes } from "./consumers/runtimes.js";
import { testRunners } from "./consumers/test-runners.js";
import { typescript } from "./consumers/typescript.js";
import { vite } from "./consumers/vite.js";
import { viteFrameworks } from "./consumers/vite-frameworks.js";

export const consumers = {
  ...vite,
  ...bundlers,
  ...frameworks,
  ...viteFrameworks,
  ...nuxtOnCloudflare,
  ...plainPages,
  ...runtimes,
  ...testRunners,
  ...typescript,
};
