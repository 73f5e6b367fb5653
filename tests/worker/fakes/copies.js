// Copies of the service in one isolate, each with an env of its own, as worker.js has them after a deployment that changes
// only bindings. on-workerd.js writes a module that exports each copy as an entrypoint.
import { env } from "cloudflare:workers";
import service from "./worker.js";

/** @param {string} name of one of the env's `COPIES`: its variables, and which binding of the env it has for each of its own */
export function copyOf(name) {
  const { vars, bindings } = env.COPIES[name];
  const own = { ...Object.fromEntries(Object.entries(bindings).map(([binding, of]) => [binding, env[of]])), ...vars };
  return { fetch: (request, _env, ctx) => service.fetch(request, own, ctx) };
}
