import { readStream } from "order-cost/worker";
import { cut, Failure, masked, networkText } from "../log/index.js";
import { clientMessage } from "./message.js";
import { traceHeaders } from "./trace.js";

const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Makes the function that asks a service: `POST` with JSON, to a binding or a URL. The answer is passed on unparsed.
 * D41: a service's error about the order becomes the order's error; an address or a stack trace never does.
 *
 * @param {string} name the service's name in the client's error message
 * @param {Fetcher | undefined} binding
 * @param {string | undefined} url replaces the binding
 * @param {(text: string, question: unknown) => string} shownText what the log shows of the service's text
 * @returns {Ask | undefined}
 *
 * @typedef {(question: unknown, ctx: import("../orders/order.js").OrderCall) => Promise<string>} Ask
 */
export function createServiceClient(name, binding, url, shownText) {
  if (!binding && !url) return undefined;
  const send = sender(binding, url);

  return async (question, { signal, requestId, context: order }) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...traceHeaders(requestId, order) },
      body: JSON.stringify(question),
      redirect: "manual", // a redirected POST would arrive as a GET
      signal,
    };
    const { ok, status, text } = await exchange(send, init).catch((cause) => {
      // A binding throws the service's own text. A URL throws the network's error.
      const detail = url ? cut(networkText(cause)) : shownText(cut(cause?.message), question);
      throw new Failure(`The ${name} could not be reached`, { detail });
    });
    if (text === undefined) throw new Failure(`The ${name} answered more than ${MAX_ANSWER_BYTES} bytes`);
    if (!ok) throw refusal(text, status, `The ${name} answered ${status}`, (said) => shownText(said, question));
    return text;
  };
}

/**
 * Makes the function that asks whether a service is there: `GET /`. Any answer counts.
 *
 * @param {string} name
 * @param {Fetcher} [binding]
 * @param {string} [url] replaces the binding
 * @returns {import("../service/service.js").Probe | undefined}
 */
export function createProbe(name, binding, url) {
  if (!binding && !url) return undefined;
  const send = sender(binding, url && new URL("/", url).href);

  return async (signal) => {
    const response = await send({ redirect: "manual", signal }).catch(() => {
      throw new Error(`The ${name} could not be reached`);
    });
    await response.body?.cancel();
  };
}

const sender = (binding, url) => (url ? (init) => fetch(url, init) : (init) => binding.fetch("https://service/", init));

/**
 * What the log shows of a service's text, which may hold anything about a customer.
 * @param {boolean} isShown LOG_SERVICE_TEXT
 * @returns {(text: string, question: unknown) => string}
 */
export const serviceText = (isShown) => (text, question) =>
  isShown ? masked(text, question) : `${text.length} characters that LOG_SERVICE_TEXT=1 would log`;

async function exchange(send, init) {
  const response = await send(init);
  return { ok: response.ok, status: response.status, text: await readText(response, init.signal) };
}

/** The body's text. Undefined if it is too long; the rest is then not read. */
async function readText({ body }, signal) {
  const { bytes, rest } = await readStream(body, { room: (_, size) => (size > MAX_ANSWER_BYTES ? "tooLong" : undefined), signal });
  if (!rest) return new TextDecoder().decode(bytes);
  rest.cancel().catch(() => {}); // a failed cancel does not change the answer
}

/** With these a service refuses the order. With any other it has failed: 401 is our key. */
const REFUSALS = new Set([409, 422]);

/** With this it refuses the order if it says why to the client. A proxy answers it, too. */
const BAD_REQUEST = 400;

function refusal(text, status, shown, shownText) {
  const stated = statedError(text);
  const message = stated && clientMessage(stated);
  const isRefused = REFUSALS.has(status) || (status === BAD_REQUEST && message !== undefined);
  return new Failure(message ?? shown, { shown, detail: stated && shownText(stated), retryable: !isRefused });
}

/** The text of `{"error": "..."}`. */
function statedError(text) {
  try {
    const { error } = JSON.parse(text);
    return typeof error === "string" && error !== "" ? error : undefined;
  } catch {
    return undefined; // not JSON, or null: perhaps the error page of a proxy
  }
}
