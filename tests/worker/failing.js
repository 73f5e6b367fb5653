// The deployed Worker, with stores and services that fail on command (fakes.js).
import { readFile } from "node:fs/promises";
import { bundle, startWorkerd } from "./workerd.js";

/** @param {Record<string, string>} [bindings] variables that differ from the deployed ones */
export async function startFailing(bindings) {
  const [app, code] = await Promise.all([
    bundle("worker/wrangler.dev.jsonc"),
    readFile(new URL("fakes.js", import.meta.url), "utf8"),
  ]);
  const { compatibilityDate, compatibilityFlags } = app;
  return startWorkerd([
    {
      ...app,
      bindings: { ...app.bindings, ...bindings },
      kvNamespaces: { ZONES: app.kvNamespaces.ZONES },
      serviceBindings: {
        PRICES: { name: "fakes", entrypoint: "Failing" },
        VOUCHERS: { name: "fakes", entrypoint: "Failing" },
        NATIONWIDE: "fakes",
        COUPONS: "fakes",
      },
    },
    {
      name: "fakes",
      modules: [{ type: "ESModule", path: "index.js", contents: code }],
      compatibilityDate,
      compatibilityFlags,
    },
  ]);
}
