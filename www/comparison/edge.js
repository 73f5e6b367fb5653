const DEADLINE_MS = 15_000;

/**
 * @typedef {object} EdgeAnswer
 * @property {string} [text]
 * @property {string} [version] of the prices and zones
 * @property {{kind: "late" | "unreachable" | "noWorker" | "refused", message?: string, status?: number}} [failure]
 *
 * Prices the same order at the Worker that serves this page.
 * @param {import("order-cost").OrderInput} order
 * @returns {Promise<EdgeAnswer & { milliseconds: number }>}
 */
export async function priceAtEdge(order) {
  const start = performance.now();
  const answer = await ask(JSON.stringify(order));
  return { ...answer, milliseconds: performance.now() - start };
}

/**
 * @param {string} body
 * @returns {Promise<EdgeAnswer>}
 */
async function ask(body) {
  let response, text;
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    response = await fetch("calculatecost4", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal,
    });
    text = await response.text();
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return { failure: { kind: isLate ? "late" : "unreachable" } };
  }
  const { ok, status } = response;
  const answer = parsed(text);
  const version = response.headers.get("x-order-cost-data") ?? undefined;
  if (ok && Array.isArray(answer?.productList)) return { text, version };
  if (typeof answer?.error === "string") {
    return { text, version, failure: { kind: "refused", message: answer.error, status } };
  }
  return { failure: { kind: "noWorker", status } };
}

/** Servers other than the Worker answer with HTML. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
