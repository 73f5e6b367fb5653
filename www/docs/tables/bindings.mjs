// The bindings of the Workers, from the code that checks them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { entriesOf } from "./comments.mjs";
import { code, sentence, table } from "./markdown.mjs";

/** What wrangler.jsonc calls a list of bindings, and what they are. */
const KINDS = {
  kv_namespaces: "KV namespace",
  services: "service",
  r2_buckets: "R2 bucket",
  ratelimits: "rate limit",
  version_metadata: "version metadata",
};

export async function bindings({ root }) {
  const pricing = (await bindingsOf(root)).map(({ name, kind, loss }) => [code(name), kind, sentence(loss)]);
  const shadow = shadowBindings(root).map(({ name, says }) => [code(name), sentence(says)]);
  return [
    table(["Binding", "Kind", "Without it"], pricing),
    "The shadow Worker has two of its own:",
    table(["Binding", "Meaning"], shadow),
  ].join("\n\n");
}

/** Those of the pricing Worker: `{ name, kind, loss }`. */
async function bindingsOf(root) {
  const { BINDINGS } = await import(pathToFileURL(join(root, "worker/preflight/bindings.js")).href);
  return BINDINGS.map(({ name, list, loss, url }) => ({
    name,
    kind: KINDS[list],
    loss: url ? `${loss}, unless ${code(url)} is set` : loss,
  }));
}

const shadowBindings = (root) => entriesOf(join(root, "worker/migration/src/options.js"), "BINDINGS");
