/** What a client may choose: it reaches logs and other services. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The ids of requests that came without one. */
const made = new WeakMap();

/**
 * The id of a request: its header `x-request-id` or, if it has none of 1 to 64 characters `A-Za-z0-9._-`, a new UUID. The
 * same request always has the same id.
 *
 * @param {Request} request
 * @returns {string}
 */
export function requestIdOf(request) {
  const given = request.headers.get("x-request-id");
  if (typeof given === "string" && REQUEST_ID.test(given)) return given;
  if (!made.has(request)) made.set(request, crypto.randomUUID());
  return made.get(request);
}
