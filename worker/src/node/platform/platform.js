// What the service has of Node: a catalogue from a folder or a URL, a rate limiter of the process, the client's socket.
import { timingSafeEqual } from "node:crypto";
import { fromUrl } from "order-cost/catalogue";
import { isNamedByContent } from "order-cost/internal";
import { networkText } from "../../log/index.js";
import { readVariables } from "../../options/index.js";
import { addressBehind } from "./address.js";
import { captureFolder } from "./capture-folder.js";
import { fromFolder } from "./folder.js";
import { createRateLimiter } from "./rate-limiter.js";
import { signing } from "./signing.js";
import { VARIABLES } from "./variables.js";

/** How much later than its signal says a read is given up. */
const LATER_MS = 100;

/**
 * @param {Record<string, string | undefined>} env
 * @param {Pick<import("../../service/service.js").Platform, "trace" | "observer">} [observed]
 * @returns {import("../../service/service.js").Platform & { heldEnded(): Promise<unknown> }} `heldEnded`: what was held has ended, so that
 *   the process may
 */
export function onNode(env, observed) {
  const values = readVariables(env, VARIABLES);
  const held = new Set();
  return {
    variables: VARIABLES,
    deployment: values.DEPLOYMENT,
    readCatalogue: catalogueReader(values),
    decisions: values.DECISIONS_DIR && captureFolder(values.DECISIONS_DIR),
    rateLimiter: createRateLimiter(values.RATE_LIMIT, values.RATE_LIMIT_SECONDS),
    signing,
    sameBytes: timingSafeEqual,
    addressOf: addressBehind(values.TRUST_PROXY),
    hold(work) {
      held.add(work);
      work.catch(() => {}).finally(() => held.delete(work));
    },
    heldEnded: () => Promise.allSettled(held),
    ...observed,
  };
}

function catalogueReader({ CATALOGUE_DIR, CATALOGUE_URL }) {
  if (CATALOGUE_DIR === undefined && CATALOGUE_URL === undefined) return undefined;
  const read = CATALOGUE_DIR === undefined ? fromAddress(CATALOGUE_URL) : fromFolder(CATALOGUE_DIR);
  return (names, call) => {
    if (isNamedByContent(names[0])) call.context?.countReads("prices", names.length);
    return read(names, { ...call, signal: later(call.signal) });
  };
}

/** Reads from a URL. The log gets its errors, and not the address, which may have a key in it. */
function fromAddress(address) {
  const read = fromUrl(address);
  const { origin, pathname, search } = new URL(address);
  const secrets = [origin + pathname.replace(/\/*$/, ""), search].filter(Boolean);
  const shown = (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, ""), text);
  return async (names, call) => {
    try {
      return await read(names, call);
    } catch (error) {
      throw new Error(shown(networkText(error)), { cause: error });
    }
  };
}

/** An order's own deadline comes first: its message names the look-up and the limit. */
function later(signal) {
  const reading = new AbortController();
  const abort = () => reading.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", () => setTimeout(abort, LATER_MS).unref(), { once: true });
  return reading.signal;
}
