// The old service, as far as the specification tells it: for tests, and for trying a migration out. It prices with the
// independent model and differs from it only as DIFFERENCES, or an order's header, says.
import { env as startEnv, waitUntil } from "cloudflare:workers";
import { createFacts } from "./facts.js";
import { legacyAnswer } from "./legacy.js";
import { MODES } from "./modes.js";
import { chosen, readWanted, WrongList } from "./wanted.js";

const ROUTES = new Set(["/calculatecost2", "/calculatecost3", "/calculatecost4"]);

/** In a request: the differences of this order in place of DIFFERENCES. In an answer: those that it really has. */
const HEADER = "x-legacy-differences";

/** In a request: how the double fails. */
const MODE_HEADER = "x-legacy-mode";

readWanted(startEnv.DIFFERENCES); // a wrong list stops the start

const facts = new WeakMap();

export default {
  async fetch(request, env, ctx) {
    if (!ROUTES.has(new URL(request.url).pathname)) return failure(404, "Not found");
    if (request.method !== "POST") return failure(405, "Method not allowed", { allow: "POST" });
    const mode = request.headers.get(MODE_HEADER);
    if (mode !== null)
      return Object.hasOwn(MODES, mode) ? MODES[mode]() : failure(400, `${MODE_HEADER}: expected ${Object.keys(MODES).join(", ")}`);
    if (!facts.has(env)) facts.set(env, createFacts(env, waitUntil));
    try {
      const wanted = readWanted(request.headers.get(HEADER) ?? env.DIFFERENCES);
      const body = textOf(await request.arrayBuffer());
      const { status, body: answer, made } = legacyAnswer(await facts.get(env)(body, request, ctx), chosen(wanted, body));
      return new Response(answer, { status, headers: { "content-type": "application/json", [HEADER]: made.join(",") } });
    } catch (error) {
      if (error instanceof WrongList) return failure(400, `${HEADER}: ${error.message}`);
      throw error;
    }
  },
};

const failure = (status, error, headers) => Response.json({ error }, { status, headers });

/** The body as the model takes it. Bytes that are no UTF-8 become a text that is no JSON. */
function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}
