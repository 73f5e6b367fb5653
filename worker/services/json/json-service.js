import { RequestError } from "./request-error.js";

/**
 * Makes a Worker with one operation: `POST /` takes a JSON body and answers JSON. Every failure answers
 * `{"error": "<message>"}`.
 * @template Body what it expects: nobody has checked it
 * @param {string} service its name in the log
 * @param {(body: Body) => unknown} answer throws a `RequestError` for a fault of the caller; any other error is
 *   ours
 */
export const jsonService = (service, answer) => ({
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/") return failure(404, `Nothing at ${pathname}: expected POST /`);
    if (request.method !== "POST") {
      return failure(405, `Method ${request.method} is not allowed: expected POST`, { Allow: "POST" });
    }
    const response = await respond(request, answer);
    // The pricing Worker's id: with it, one order can be followed through the logs of all Workers.
    const requestId = request.headers.get("x-request-id");
    const level = response.ok ? "info" : "error";
    console.log(JSON.stringify({ level, event: "request", service, requestId, status: response.status }));
    return response;
  },
});

async function respond(request, answer) {
  let body;
  try {
    body = JSON.parse(await request.text());
  } catch {
    return failure(400, "Request body is not JSON");
  }
  try {
    return Response.json(answer(body));
  } catch (error) {
    if (error instanceof RequestError) return failure(400, error.message);
    console.error(error);
    return failure(500, "The service failed");
  }
}

const failure = (status, message, headers) => Response.json({ error: message }, { status, headers });
