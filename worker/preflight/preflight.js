// Whether an environment of wrangler.jsonc can be deployed: what is wrong, or what was checked.
import { count, Fault } from "../command-line/index.js";
import { BINDING, isPlaceholder, openStore, readSettings } from "../data/store/index.js";
import { hasWorker, secretsOf } from "./account.js";
import { bindingFaults, boundIn, isDemoService } from "./bindings.js";
import { usableVersion } from "./current.js";
import { mayBeAnonymous, secretFaults, variableFaults } from "./variables.js";

/**
 * @typedef {{ config: string, env: string, without: string[] }} Options `without`: bindings that the shop leaves out
 * @typedef {{ faults: string[], warnings: string[], checked: string[] }} Found
 * @typedef {(target: { config: string, env: string }) => Promise<import("./dry-run.js").Trial>} TryOut deploys, but for the end
 * @typedef {{ config: string, env: string, worker: string, vars: Record<string, unknown>, isLogged: boolean }} Target
 */

/**
 * @param {Options} options
 * @param {object} outside
 * @param {import("../data/store/cloudflare-api.js").Cloudflare} outside.cloudflare
 * @param {TryOut} outside.tryOut
 * @param {(done: number, total: number) => void} [outside.onProgress]
 * @returns {Promise<Found>} a line each
 */
export async function preflight({ config, env, without }, { cloudflare, tryOut, onProgress = () => {} }) {
  const settings = await readSettings(config, env);
  const { top, scope } = settings;
  const bindings = boundIn(scope);
  const isLogged = bindings.some(({ name, list }) => name === "DECISIONS" && list === "r2_buckets");
  /** @type {Target} */
  const target = { config, env, worker: scope.name ?? `${top.name}-${env}`, vars: scope.vars ?? {}, isLogged };
  const faults = [...bindingFaults(settings, env, without), ...variableFaults(target.vars, env)];

  const checks = [
    () => checkSecrets(cloudflare, target),
    ...servicesOf(bindings, env).map((service) => () => checkService(cloudflare, service)),
    () => checkCurrent(cloudflare, target, bindings),
  ];
  onProgress(0, checks.length + 1);
  const trial = judged(await tryOut(target), faults);
  const answers = trial.isReadable ? await allOf(checks, (done) => onProgress(done + 1, checks.length + 1)) : [];
  const found = [{ faults, checked: stated(bindings, target) }, trial, ...answers];
  return {
    faults: found.flatMap((part) => part.faults ?? []),
    warnings: addressWarnings(settings),
    checked: found.flatMap((part) => part.checked ?? []),
  };
}

/** Where the Worker is reached decides what its catalogue costs. */
function addressWarnings({ top, scope }) {
  const { routes, route, workers_dev: isOnWorkersDev } = { ...top, ...scope };
  if (routes?.length > 0 || route || isOnWorkersDev === false) return [];
  return [NO_CACHE];
}

const NO_CACHE =
  "workers.dev has no Cache API: an isolate reads from KV alone, and each key is billed. A domain of your own (routes) makes repeated reads free";

function stated(bindings, { worker, vars }) {
  const names = bindings.map(({ name }) => name).join(", ");
  return [`the bindings of ${worker}: ${names}`, count(Object.keys(vars).length, "variable")];
}

/** At the same time: each waits for Cloudflare. */
function allOf(checks, onProgress) {
  let done = 0;
  onProgress(done);
  return Promise.all(
    checks.map(async (check) => {
      const found = await check();
      onProgress((done += 1));
      return found;
    }),
  );
}

/** wrangler's own rules. If it cannot read the settings, nobody can tell what they mean. */
function judged({ complaints, isReadable }, faults) {
  // It would repeat what the checks of bindings have said.
  const isToBeFilledIn = faults.some((fault) => fault.startsWith("placeholder:"));
  const configuration = isToBeFilledIn ? [] : complaints.map((complaint) => `configuration: ${complaint}`);
  return { isReadable, faults: configuration, checked: ["wrangler deploy --dry-run warns of nothing"] };
}

async function checkSecrets(cloudflare, target) {
  const isAnonymous = mayBeAnonymous(target.vars);
  try {
    const secrets = await secretsOf(cloudflare, target.worker);
    const hasKeys = secrets.includes("API_KEYS");
    const access = hasKeys ? "orders need a key: API_KEYS is a secret" : "anybody may order: ALLOW_ANONYMOUS is 1";
    return { faults: secretFaults(secrets, target), checked: [access] };
  } catch (error) {
    return asFault(error, `${isAnonymous ? "secrets" : "anonymous"}: cannot tell which secrets ${target.worker} has`);
  }
}

/** Those that the shop has named; the checks of bindings report the others. */
const servicesOf = (bindings, env) =>
  bindings.filter(({ list, target }) => list === "services" && !isPlaceholder(target) && !isDemoService(target, env));

async function checkService(cloudflare, { name, target: service }) {
  try {
    if (await hasWorker(cloudflare, service)) return { checked: [`${name}: the account has the Worker ${service}`] };
    const fault = `${name} is bound to ${service}, which the account does not have: deploy that Worker, or correct the name`;
    return { faults: [`missing service: ${fault}`] };
  } catch (error) {
    return asFault(error, `missing service: cannot tell whether the account has ${service}`);
  }
}

async function checkCurrent(cloudflare, { config, env }, bindings) {
  const { target: id = "" } = bindings.find(({ name, list }) => name === BINDING && list === "kv_namespaces") ?? {};
  if (isPlaceholder(id)) return { faults: [`no current version: ${BINDING} has no namespace yet`] };
  try {
    const store = await openStore({ remote: true, env, config, cloudflare });
    const { id: version, activatedAt, extent } = await usableVersion(store, env);
    return { checked: [`the version in use: ${version} since ${activatedAt}, with ${extent}`] };
  } catch (error) {
    return asFault(error, "no current version");
  }
}

function asFault(error, what) {
  if (error instanceof Fault) return { faults: [`${what}: ${error.message}`] };
  throw error;
}
