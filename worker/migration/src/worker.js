// Stands in front of the old and the new service while a shop moves: www/docs/service/migrate.md.
import { env as startEnv } from "cloudflare:workers";
import { requestIdOf } from "order-cost/worker";
import { errorText, log } from "../../src/log/index.js";
import { createFresh, createLegacy, isPassedBefore } from "../sides/index.js";
import { createKeeper } from "./keeper.js";
import { readOptions, shownOptions } from "./options.js";
import { createShadow } from "./shadow.js";

readOptions(startEnv); // at startup: a wrong variable stops the deployment, not the orders

/** One for each env: a deployment that changes only variables keeps the isolate and passes a new env. */
const shadows = new WeakMap();

export default {
  fetch(request, env, ctx) {
    if (isPassedBefore(request)) return refused(request, 508, "LEGACY_URL leads back to the shadow Worker");
    if (!shadows.has(env)) shadows.set(env, shadowOf(env));
    return shadows
      .get(env)(request, ctx)
      .catch((error) => refused(request, 500, "The service could not be reached", error));
  },
};

function shadowOf(env) {
  const options = readOptions(env);
  log("info", "start", { options: shownOptions(env) });
  const captures = env.CAPTURE && options.capturesPerDay > 0 ? createKeeper(env.CAPTURE, env.NEW, options) : undefined;
  return createShadow({ legacy: createLegacy(options.legacyUrl), new: createFresh(env.NEW) }, captures, options);
}

/**
 * The side that serves gave no answer at all. The other side's is not its answer.
 * @param {Request} request
 * @param {number} status
 * @param {string} message
 * @param {unknown} [error]
 */
function refused(request, status, message, error) {
  const requestId = requestIdOf(request);
  log("error", "fault", { requestId, message, cause: error === undefined ? undefined : errorText(error) });
  return Response.json({ error: message }, { status, headers: { "x-request-id": requestId } });
}
