import { identified } from "../core/index.js";

/** What a client may choose: it reaches logs and other services. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The ids of a runtime's own requests that came without one. */
const made = new WeakMap();

/** The id of a request: that of its header `x-request-id`, or a new one. See worker.d.ts. */
export function requestIdOf(request) {
  const given = request.headers.get("x-request-id");
  if (typeof given === "string" && REQUEST_ID.test(given)) return given;
  if (identified in request) return (request[identified] ??= crypto.randomUUID());
  if (!made.has(request)) made.set(request, crypto.randomUUID());
  return made.get(request);
}
