// The bindings of an environment: which are missing, not filled in, or the demo's.
import { BINDING, createCommand, isPlaceholder } from "../data/store/index.js";

/**
 * @typedef {import("../data/store/binding.js").Settings} Settings
 * @typedef {{ name: string, list: string, target: string }} Bound a binding, the setting that lists it, and what it is bound to
 */

/**
 * What an environment should bind, and what fails without it. `url`: the variable that may take its place.
 * @type {{ name: string, list: string, loss: string, url?: string, isExtra?: boolean }[]}
 */
export const BINDINGS = [
  { name: "CATALOGUE", list: "kv_namespaces", loss: "every order fails" },
  { name: "VOUCHERS", list: "kv_namespaces", loss: "orders with vouchers fail", url: "VOUCHERS_URL" },
  { name: "NATIONWIDE", list: "services", loss: "orders with nationwide delivery fail", url: "NATIONWIDE_URL" },
  { name: "COUPONS", list: "services", loss: "orders with coupons fail", url: "COUPONS_URL" },
  { name: "RATE_LIMITER", list: "ratelimits", loss: "nobody's orders are limited" },
  { name: "CF_VERSION_METADATA", list: "version_metadata", loss: "the log does not name the deployment" },
  { name: "DECISIONS", list: "r2_buckets", loss: "no order is captured", isExtra: true },
];

/** Most shops have no use for an extra one. */
const WANTED = BINDINGS.filter(({ isExtra }) => !isExtra);

/** What a shop may leave out: it needs the prices in any case. */
export const OPTIONAL = WANTED.map(({ name }) => name).filter((name) => name !== BINDING);

/** @param {unknown} value */
export const isFilled = (value) => value !== undefined && String(value).trim() !== "";

/** What belongs to wrangler.dev.jsonc and services/. */
export const DEMO = {
  services: ["order-cost-nationwide", "order-cost-coupons"],
  namespaces: ["order-cost-catalogue", "order-cost-vouchers"],
  page: "target/site",
};

/**
 * @param {{ top: Settings, scope: Settings }} settings of wrangler.jsonc
 * @param {string} env
 * @param {string[]} without bindings that the shop leaves out on purpose
 * @returns {string[]}
 */
export function bindingFaults({ top, scope }, env, without) {
  const bindings = boundIn(scope);
  return [
    ...missing(bindings, scope.vars ?? {}, without),
    ...bindings.flatMap((binding) => targetFault(binding, env)),
    ...routeFaults(scope.routes ?? top.routes ?? scope.route ?? top.route),
    ...pageFaults(scope.assets ?? top.assets ?? {}),
  ];
}

/**
 * The bindings of an environment.
 * @param {Settings} settings
 * @returns {Bound[]}
 */
export function boundIn({ kv_namespaces = [], services = [], r2_buckets = [], ratelimits = [], version_metadata }) {
  return [
    ...kv_namespaces.map(({ binding, id = "" }) => ({ name: binding, list: "kv_namespaces", target: id })),
    ...services.map(({ binding, service = "" }) => ({ name: binding, list: "services", target: service })),
    ...r2_buckets.map(({ binding, bucket_name = "" }) => ({ name: binding, list: "r2_buckets", target: bucket_name })),
    ...ratelimits.map(({ name, namespace_id = "" }) => ({ name, list: "ratelimits", target: namespace_id })),
    ...(version_metadata ? [{ name: version_metadata.binding, list: "version_metadata", target: "its own" }] : []),
  ];
}

/**
 * @param {Bound[]} bindings
 * @param {Record<string, unknown>} vars
 * @param {string[]} without
 */
function missing(bindings, vars, without) {
  const isThere = ({ name, list }) => bindings.some((binding) => binding.name === name && binding.list === list);
  const isLeftOut = ({ name, url = "" }) => without.includes(name) || isFilled(vars[url]);
  return WANTED.filter((wanted) => !isThere(wanted) && !isLeftOut(wanted)).map(({ name, list, loss, url }) => {
    const ways = [`add it to ${list}`, url && `set ${url}`, OPTIONAL.includes(name) && `allow it with --without ${name}`];
    return `missing binding: ${name}: ${loss} without it: ${ways.filter(Boolean).join(", or ")}`;
  });
}

/**
 * @param {Bound} binding
 * @param {string} env
 */
function targetFault({ name, list, target }, env) {
  const todo = FILL_IN[list]?.(name, env);
  if (isPlaceholder(target)) {
    return [`placeholder: ${name} ${isFilled(target) ? `still has ${target}` : "has nothing filled in"}: ${todo}`];
  }
  if (list === "services" && isDemoService(target, env)) {
    return [`demo service: ${name} is bound to ${target}, which answers with invented data: ${todo}`];
  }
  if (list === "kv_namespaces" && DEMO.namespaces.includes(target)) {
    return [`demo namespace: ${name} has the id ${target}, which exists in wrangler.dev.jsonc only: ${todo}`];
  }
  return [];
}

const FILL_IN = {
  kv_namespaces: (name, env) => `put in the id that "${createCommand(name, env)}" prints`,
  services: () => "put in the name of the shop's own Worker",
  r2_buckets: () => "put in the bucket's name",
  ratelimits: () => "put in a number of your choice",
};

/**
 * Deployed with --env, a Worker has the environment in its name.
 * @param {string} service
 * @param {string} env
 */
export const isDemoService = (service, env) => DEMO.services.some((name) => service === name || service === `${name}-${env}`);

/** @param {Settings["routes"] | Settings["route"]} routes */
function routeFaults(routes = []) {
  const patterns = [routes].flat().map((route) => (typeof route === "string" ? route : route.pattern));
  const todo = "put in the service's address";
  return patterns.filter(isPlaceholder).map((pattern) => `placeholder: routes still has ${pattern}: ${todo}`);
}

/** @param {NonNullable<Settings["assets"]>} assets */
function pageFaults({ directory = "" }) {
  const isDemo = directory.replace(/\/$/, "").endsWith(DEMO.page);
  return isDemo ? [`demo page: assets serves ${directory}: remove assets`] : [];
}
