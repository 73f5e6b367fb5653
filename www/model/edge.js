const DEADLINE_MS = 15_000;

/**
 * Prices the same order at the Worker that serves this page.
 * @param {object} order
 * @returns {Promise<{text?: string, version?: string, failure?: {kind: "late" | "unreachable" | "noWorker" | "refused", message?: string, status?: number}, milliseconds: number}>}
 */
export async function priceAtEdge(order) {
  const start = performance.now();
  const answer = await ask(JSON.stringify(order));
  return { ...answer, milliseconds: performance.now() - start };
}

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
    return { failure: { kind: error.name === "TimeoutError" ? "late" : "unreachable" } };
  }
  const { ok, status } = response;
  const answer = parsed(text);
  const version = response.headers.get("x-order-cost-data") ?? undefined; // of the prices and zones
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
